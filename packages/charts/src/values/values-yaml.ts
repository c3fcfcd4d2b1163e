import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import type { ValueSchema } from './value-schema.ts';

const WIDTH = 100;

const wrapped = (text: string, width: number): readonly string[] =>
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

const indented = (lines: readonly string[], prefix: string): readonly string[] =>
  lines.map((line) => (prefix + line).trimEnd());

const commented = (lines: readonly string[]): readonly string[] => indented(lines, '# ');

/**
 * YAML that YAML 1.1 and 1.2 read alike, for Helm's parser is between the two: `yes`, `1e3`, `0o14` and `2020-01-01` come out
 * quoted when they are texts.
 */
const yamlOf = (value: unknown): readonly string[] => {
  const text = stringify(value, { version: '1.1', lineWidth: 0 }).trimEnd();
  const isSame = isDeepStrictEqual(parse(text), value);
  return (isSame ? text : JSON.stringify(value)).split('\n');
};

const keyed = (key: string, value: unknown): readonly string[] => {
  const lines = yamlOf({ [key]: value });
  return lines[0]?.startsWith('{') === true
    ? [`${JSON.stringify(key)}: ${JSON.stringify(value)}`]
    : lines;
};

/** An example stands under its key, so that it can be copied; a single text or number stands alone. */
const exampleOf = (key: string, example: unknown): readonly string[] =>
  typeof example === 'object' ? keyed(key, example) : yamlOf(example);

const head = (
  key: string,
  { description, enum: allowed, examples = [] }: ValueSchema,
  width: number,
) => [
  ...(description === undefined ? [] : wrapped(description, width)),
  ...(allowed === undefined
    ? []
    : wrapped(`One of: ${allowed.map((value) => JSON.stringify(value)).join(', ')}.`, width)),
  ...(examples.length === 0 ? [] : ['For example:']),
  ...indented(
    examples.flatMap((example) => exampleOf(key, example)),
    '  ',
  ),
];

/** The key and its colon. */
const nameOf = (key: string): string => keyed(key, '')[0]?.replace(/ ""$/u, '') ?? '';

/** A group of values whose keys are known. */
const isGroup = ({ properties }: ValueSchema): boolean => Object.keys(properties ?? {}).length > 0;

interface Place {
  readonly width: number;
  readonly isSet: boolean;
}

/** What a group may hold that holds nothing yet: below `{}` no key could be uncommented. */
const holds = ({ properties }: ValueSchema, width: number): readonly string[] => [
  'It may hold:',
  ...Object.entries(properties ?? {}).flatMap(([key, { description }]) =>
    indented(wrapped(`${key}: ${description ?? 'of your choice.'}`, width - 2), '  '),
  ),
];

const groupEntry = (
  key: string,
  schema: ValueSchema,
  { width, isSet }: Place,
): readonly string[] => {
  const comment = commented(head(key, schema, width - 2));
  const inner = indented(entries(schema, width - 2), '  ');
  const name = nameOf(key);
  // Comments alone would leave the key null.
  if (inner.some((line) => !/^ *(#|$)/u.test(line)))
    return [...comment, ...(isSet ? [name, ...inner] : commented([name, ...inner]))];
  const group = isSet ? [`${name} {}`] : commented([name]);
  return [...comment, ...commented(holds(schema, width - 2)), ...group];
};

const entry = (key: string, schema: ValueSchema, place: Place): readonly string[] => {
  const comment = commented(head(key, schema, place.width - 2));
  if (schema.default !== undefined) return [...comment, ...keyed(key, schema.default)];
  if (isGroup(schema)) return groupEntry(key, schema, place);
  // A value without a default is shown, but not set.
  return [...comment, ...commented([nameOf(key)])];
};

const entries = (schema: ValueSchema, width: number): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, value], at) => [
    ...(at > 0 && width === WIDTH ? [''] : []),
    ...entry(key, value, { width, isSet: schema.required?.includes(key) === true }),
  ]);

/** The `values.yaml` of a chart: every value with its description and default, in the order of the definition. */
export function valuesYaml(chart: string, schema: ValueSchema): string {
  const title = `# Values of the chart \`${chart}\`: what can be set, what it means, and what holds without it.`;
  return `${title}\n# Generated from the definition of the values by \`pnpm gen\`.\n\n${entries(schema, WIDTH).join('\n')}\n`;
}
