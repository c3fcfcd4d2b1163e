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

const formatRange = ({ minimum, maximum }: ValueSchema): readonly string[] => {
  if (minimum !== undefined && maximum !== undefined)
    return [`${minimum.toString()} to ${maximum.toString()}.`];
  if (maximum !== undefined) return [`At most ${maximum.toString()}.`];
  return minimum === undefined || minimum <= 1 ? [] : [`At least ${minimum.toString()}.`];
};

/** Returns the listed values and the range of a value; `values.schema.json` has lengths and patterns too. */
const formatConstraints = (schema: ValueSchema): readonly string[] => {
  const { enum: listed, const: only } = schema;
  const values = only === undefined ? listed : [only];
  return [
    ...(values === undefined
      ? []
      : [`One of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.`]),
    ...formatRange(schema),
  ];
};

/** Maximum length of a default in the table. */
const MAX_DEFAULT_CHARS = 40;

export interface Row {
  readonly key: string;
  readonly schema: ValueSchema;
  readonly isSet: boolean;
}

/** Escapes `<` outside of code, which begins HTML. */
const escapeHtml = (text: string): string =>
  text
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

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns the default, or the type of a value that is unset or empty without one. */
const formatDefault = ({ key, schema, isSet }: Row): string => {
  if (schema.default === undefined || isEmpty(schema.default)) {
    if (isGroup(schema)) return '';
    // A key of a list or a map has no default: it is required where its entry is set.
    return isSet && /\[\]|<name>/u.test(key)
      ? `${formatType(schema)}, required`
      : formatType(schema);
  }
  const text = JSON.stringify(schema.default);
  return text.length > MAX_DEFAULT_CHARS ? 'below' : formatCode(text);
};

/** A page of the documentation, as the descriptions name it. */
const linkPages = (text: string): string =>
  text.replaceAll(/docs\/((?:[a-z]+\/)?[a-z-]+\.md)/gu, '[$1](../../$1)');

const formatRow = (row: Row): string => {
  const { key, schema } = row;
  const meaning = [linkPages(schema.description ?? ''), ...formatConstraints(schema)];
  const value = formatDefault(row);
  return `- ${formatCode(key)}${value === '' ? '' : ` (${value})`}: ${escapeHtml(meaning.join(' ').trim())}`.replace(
    /: $/u,
    '',
  );
};

const formatLongDefault = (row: Row): readonly string[] =>
  formatDefault(row) === 'below'
    ? [
        `Default of ${formatCode(row.key)}:`,
        '',
        '```yaml',
        stringify(row.schema.default, { lineWidth: 0 }).trimEnd(),
        '```',
        '',
      ]
    : [];

const formatRows = (rows: readonly Row[]): readonly string[] => [
  ...rows.map(formatRow),
  '',
  ...rows.flatMap(formatLongDefault),
];

/** Words of the description of a group that names it only, such as "The container image.". */
const NAME_WORDS = 6;

/** Every value; a group only when its description says more than its name. */
const listValues = (schema: ValueSchema): readonly Row[] =>
  listChildren('', schema).filter(
    (row) => !isGroup(row.schema) || (row.schema.description ?? '').split(' ').length > NAME_WORDS,
  );

/** Equal for values with the same default and meaning. */
const formatIdentity = (row: Row): string => [formatRow(row), ...formatLongDefault(row)].join('\n');

const resolveTopKey = (key: string): string => key.replace(/[.[].*$/u, '');

/** Names the values: a group by its key when all of its values are among them. */
const listNames = (rows: readonly Row[], all: readonly Row[]): string => {
  const own = new Set(rows);
  const isWhole = (top: string): boolean =>
    all.every((row) => resolveTopKey(row.key) !== top || own.has(row));
  const names = rows.map(({ key }) => (isWhole(resolveTopKey(key)) ? resolveTopKey(key) : key));
  return [...new Set(names)].map(formatCode).join(', ');
};

/** The name of the page of the values that several charts have. */
export const SHARED_PAGE = 'common';

/** The values that several charts have with the same default and meaning, by key. */
export type SharedValues = ReadonlyMap<string, Row>;

/** Returns the values that at least two of the charts have in the same words; of one key the most frequent. */
export function findSharedValues(schemas: readonly ValueSchema[]): SharedValues {
  const byKey = new Map<string, Map<string, Row[]>>();
  for (const row of schemas.flatMap(listValues)) {
    const variants = byKey.get(row.key) ?? new Map<string, Row[]>();
    variants.set(formatIdentity(row), [...(variants.get(formatIdentity(row)) ?? []), row]);
    byKey.set(row.key, variants);
  }
  return new Map(
    [...byKey].flatMap(([key, variants]) => {
      const [most = []] = [...variants.values()].toSorted((a, b) => b.length - a.length);
      const [row] = most;
      return row === undefined || most.length < 2 ? [] : [[key, row] as const];
    }),
  );
}

const isShared = (shared: SharedValues, row: Row): boolean => {
  const other = shared.get(row.key);
  return other !== undefined && formatIdentity(other) === formatIdentity(row);
};

const joinLines = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

/** Returns `docs/reference/charts/common.md`: the values that several charts have. */
export const renderSharedReference = (shared: SharedValues): string =>
  joinLines([
    '# Values of several charts',
    '',
    'Generated, as are the pages of the [charts](../../charts/README.md); each of those lists which of these values its chart has.',
    '',
    '- Parentheses contain the default. Without one they contain the type, and the value is unset or empty.',
    '- `<name>` stands for a key of your choice, `[]` for each item of a list.',
    '- A key that is not listed is refused, and so is `null` for a value with a default. `values.schema.json` also has the lengths and patterns of texts.',
    '- Examples are in `helm show values`.',
    '',
    ...formatRows([...shared.values()]),
  ]);

/**
 * Returns `docs/reference/charts/<chart>.md`: every value of a chart with its default or type and its meaning; those that several charts have by name only.
 */
export function renderValuesReference(
  chart: string,
  schema: ValueSchema,
  shared: SharedValues = new Map(),
): string {
  const all = listValues(schema);
  const others = all.filter((row) => isShared(shared, row));
  return joinLines([
    `# Values of the chart \`${chart}\``,
    '',
    `Generated. See [its page](../../charts/${chart}.md), and [how to read this](${SHARED_PAGE}.md).`,
    '',
    ...(others.length === 0
      ? []
      : [`Described [there](${SHARED_PAGE}.md): ${listNames(others, all)}.`, '']),
    ...formatRows(all.filter((row) => !others.includes(row))),
  ]);
}
