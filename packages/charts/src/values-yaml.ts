import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import type { ValueSchema } from './chart-schema.ts';

const WIDTH = 100;

const wrapText = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });

const indentLines = (lines: readonly string[], prefix: string): readonly string[] =>
  lines.map((line) => (prefix + line).trimEnd());

const formatComment = (lines: readonly string[]): readonly string[] => indentLines(lines, '# ');

/**
 * Returns YAML that YAML 1.1 and 1.2 read alike, because the parser of Helm is between the two. Quotes texts such as `yes`, `1e3`, `0o14` and `2020-01-01`.
 */
const formatYaml = (value: unknown): readonly string[] => {
  const text = stringify(value, { version: '1.1', lineWidth: 0 }).trimEnd();
  const isSame = isDeepStrictEqual(parse(text), value);
  return (isSame ? text : JSON.stringify(value)).split('\n');
};

const formatKeyValue = (key: string, value: unknown): readonly string[] => {
  const lines = formatYaml({ [key]: value });
  return lines[0]?.startsWith('{') === true
    ? [`${JSON.stringify(key)}: ${JSON.stringify(value)}`]
    : lines;
};

/** Returns an example under its key, or a single text or number without the key. */
const formatExample = (key: string, example: unknown): readonly string[] =>
  typeof example === 'object' ? formatKeyValue(key, example) : formatYaml(example);

const formatHead = (
  key: string,
  { description, enum: allowed, examples = [] }: ValueSchema,
  width: number,
) => [
  ...(description === undefined ? [] : wrapText(description, width)),
  ...(allowed === undefined
    ? []
    : wrapText(`One of: ${allowed.map((value) => JSON.stringify(value)).join(', ')}.`, width)),
  ...(examples.length === 0 ? [] : ['For example:']),
  ...indentLines(
    examples.flatMap((example) => formatExample(key, example)),
    '  ',
  ),
];

/** The key and its colon. */
const formatKeyName = (key: string): string =>
  formatKeyValue(key, '')[0]?.replace(/ ""$/u, '') ?? '';

/** A group of values whose keys are known. */
const isGroup = ({ properties }: ValueSchema): boolean => Object.keys(properties ?? {}).length > 0;

interface Place {
  readonly width: number;
  readonly isSet: boolean;
}

/** Returns examples of an empty group; below `{}` no key can be uncommented. */
const formatContents = ({ properties }: ValueSchema, width: number): readonly string[] => [
  'It may hold:',
  ...Object.entries(properties ?? {}).flatMap(([key, { description }]) =>
    indentLines(wrapText(`${key}: ${description ?? 'of your choice.'}`, width - 2), '  '),
  ),
];

const groupEntry = (
  key: string,
  schema: ValueSchema,
  { width, isSet }: Place,
): readonly string[] => {
  const comment = formatComment(formatHead(key, schema, width - 2));
  const inner = indentLines(formatEntries(schema, width - 2), '  ');
  const name = formatKeyName(key);
  // With comments only, the key would be null.
  if (inner.some((line) => !/^ *(#|$)/u.test(line)))
    return [...comment, ...(isSet ? [name, ...inner] : formatComment([name, ...inner]))];
  const group = isSet ? [`${name} {}`] : formatComment([name]);
  return [...comment, ...formatComment(formatContents(schema, width - 2)), ...group];
};

const formatEntry = (key: string, schema: ValueSchema, place: Place): readonly string[] => {
  const comment = formatComment(formatHead(key, schema, place.width - 2));
  if (schema.default !== undefined) return [...comment, ...formatKeyValue(key, schema.default)];
  if (isGroup(schema)) return groupEntry(key, schema, place);
  // A value without a default appears as a comment.
  return [...comment, ...formatComment([formatKeyName(key)])];
};

const formatEntries = (schema: ValueSchema, width: number): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, value], at) => [
    ...(at > 0 && width === WIDTH ? [''] : []),
    ...formatEntry(key, value, { width, isSet: schema.required?.includes(key) === true }),
  ]);

/** Returns the `values.yaml` of a chart: every value with its description and default, in the order of the definition. */
export function renderValuesYaml(chart: string, schema: ValueSchema): string {
  const title = `# Values of the chart \`${chart}\`: what can be set, what it means, and what holds without it.`;
  return `${title}\n# Generated from the definition of the values by \`pnpm gen\`.\n\n${formatEntries(schema, WIDTH).join('\n')}\n`;
}
