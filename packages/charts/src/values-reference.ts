import { stringify } from 'yaml';
import type { ValueSchema } from './chart-schema.ts';

const PLURALS: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  array: 'lists',
  object: 'objects',
};

const formatPlural = (schema: ValueSchema): string => {
  const { type } = schema;
  return typeof type === 'string' ? (PLURALS[type] ?? 'values') : 'values';
};

const formatObjectType = ({ properties, additionalProperties: named }: ValueSchema): string => {
  if (Object.keys(properties ?? {}).length > 0) return 'group';
  return typeof named === 'object' ? `map of ${formatPlural(named)}` : 'object';
};

const formatSingleType = (type: string, schema: ValueSchema): string => {
  if (type === 'array')
    return schema.items === undefined ? 'list' : `list of ${formatPlural(schema.items)}`;
  if (type === 'object') return formatObjectType(schema);
  return type === 'string' ? 'text' : type;
};

/** Returns the type of a value as text: `text`, `list of texts`, `map of objects`, `text or null`. */
function formatType(schema: ValueSchema): string {
  const options = schema.anyOf ?? schema.oneOf;
  const names =
    options === undefined
      ? [schema.type ?? []].flat().map((type) => formatSingleType(type, schema))
      : options.map(formatType);
  return names.length === 0 ? 'any' : [...new Set(names)].join(' or ');
}

const formatRange = (
  [least, most]: readonly [number | undefined, number | undefined],
  unit: string,
): readonly string[] => {
  if (least !== undefined && most !== undefined)
    return [`${least.toString()} to ${most.toString()}${unit}`];
  if (least !== undefined) return [`at least ${least.toString()}${unit}`];
  return most === undefined ? [] : [`at most ${most.toString()}${unit}`];
};

/** Returns the constraints of a value beyond its type: list, range, length and pattern; empty without constraints. */
function formatConstraints(schema: ValueSchema): string {
  const { enum: listed, const: only, pattern } = schema;
  const values = only === undefined ? listed : [only];
  return [
    ...(values === undefined
      ? []
      : [values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')]),
    ...formatRange([schema.minimum, schema.maximum], ''),
    ...formatRange([schema.minLength, schema.maxLength], ' characters'),
    ...formatRange([schema.minItems, schema.maxItems], ' items'),
    ...formatRange([schema.minProperties, schema.maxProperties], ' keys'),
    ...(pattern === undefined ? [] : [`\`${pattern}\``]),
  ].join('; ');
}

/** Maximum length of a default in the table. */
const MAX_DEFAULT_CHARS = 40;

interface Row {
  readonly key: string;
  readonly schema: ValueSchema;
  readonly isSet: boolean;
}

/** Escapes `<` outside of code, which begins HTML. */
const formatCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .split(/(`[^`]*`)/u)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');

const formatCode = (text: string): string => (text === '' ? '' : `\`${text}\``);

const isGroup = ({ properties }: ValueSchema): boolean => Object.keys(properties ?? {}).length > 0;

const listChildren = (key: string, schema: ValueSchema): readonly Row[] => {
  const required = schema.required ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]) =>
    listRows({
      key: `${key}${key === '' ? '' : '.'}${name}`,
      schema: value,
      isSet: required.includes(name),
    }),
  );
  const { additionalProperties: named, items } = schema;
  const entries = typeof named === 'object' ? listChildren(`${key}.<name>`, named) : [];
  return [...own, ...entries, ...(items === undefined ? [] : listChildren(`${key}[]`, items))];
};

const listRows = (row: Row): readonly Row[] => [row, ...listChildren(row.key, row.schema)];

const formatShortDefault = ({ schema, isSet }: Row): string => {
  if (schema.default === undefined) return isGroup(schema) || isSet ? '' : 'unset';
  const text = JSON.stringify(schema.default);
  return text.length > MAX_DEFAULT_CHARS ? 'below' : formatCode(text);
};

const formatRow = (row: Row): string => {
  const { key, schema } = row;
  const columns = [
    formatCode(key),
    formatType(schema),
    formatShortDefault(row),
    formatConstraints(schema),
    schema.description ?? '',
  ];
  return `| ${columns.map(formatCell).join(' | ')} |`;
};

const block = (title: string, value: unknown): readonly string[] => [
  title,
  '',
  '```yaml',
  stringify(value, { lineWidth: 0 }).trimEnd(),
  '```',
  '',
];

const formatLongDefault = (row: Row): readonly string[] =>
  formatShortDefault(row) === 'below'
    ? block(`Default of ${formatCode(row.key)}:`, row.schema.default)
    : [];

/** Texts and numbers need no example; the table lists permitted values. */
const formatExamples = ({ key, schema }: Row): readonly string[] =>
  (schema.examples ?? [])
    .filter((example) => typeof example === 'object')
    .flatMap((example) => block(`Example of ${formatCode(key)}:`, example));

const formatTable = (all: readonly Row[]): readonly string[] => [
  '| value | type | default | allowed | meaning |',
  '| --- | --- | --- | --- | --- |',
  ...all.map(formatRow),
  '',
  ...all.flatMap((row) => [...formatLongDefault(row), ...formatExamples(row)]),
];

const formatSection = (row: Row): readonly string[] => [
  `## ${formatCode(row.key)}`,
  '',
  ...(row.schema.description === undefined ? [] : [row.schema.description, '']),
  ...formatExamples(row),
  ...formatTable(listChildren(row.key, row.schema)),
];

/**
 * Returns `docs/reference/charts/<chart>.md`: every value of a chart with its type, default, allowed values and meaning. Groups have their own sections; other values are in the first table.
 */
export function renderValuesReference(chart: string, schema: ValueSchema): string {
  const required = schema.required ?? [];
  const top = Object.entries(schema.properties ?? {}).map(([key, value]): Row => ({
    key,
    schema: value,
    isSet: required.includes(key),
  }));
  const hasRows = ({ key, schema: value }: Row): boolean => listChildren(key, value).length > 0;
  const single = top.filter((row) => !hasRows(row));
  const lines = [
    `# Values of the chart \`${chart}\``,
    '',
    `Generated from the definition of the values, as are the chart’s \`values.yaml\` and \`values.schema.json\`. For use see [the chart’s page](../../charts/${chart}.md), for the other charts [Charts](../../charts/README.md).`,
    '',
    'A key that is not listed is refused, and so is `null` for a value that has a default. `<name>` stands for a key of your choice, `[]` for each item of a list.',
    '',
    ...(single.length === 0 ? [] : formatTable(single)),
    ...top.filter(hasRows).flatMap(formatSection),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
