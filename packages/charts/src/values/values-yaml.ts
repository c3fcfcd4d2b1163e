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

const head = ({ description, enum: allowed, examples }: ValueSchema, width: number) => [
  ...(description === undefined ? [] : wrapped(description, width)),
  ...(allowed === undefined
    ? []
    : wrapped(`One of: ${allowed.map((value) => JSON.stringify(value)).join(', ')}.`, width)),
  ...(examples === undefined ? [] : ['For example:']),
  ...indented(
    (examples ?? []).flatMap((example) => yamlOf(example)),
    '  ',
  ),
];

/** A group of values whose keys are known. */
const isGroup = ({ properties }: ValueSchema): boolean => Object.keys(properties ?? {}).length > 0;

const groupEntry = (key: string, schema: ValueSchema, width: number): readonly string[] => {
  const inner = indented(entries(schema, width - 2), '  ');
  // Comments alone would leave the key null.
  const hasValues = inner.some((line) => !/^ *(#|$)/u.test(line));
  const name = keyed(key, {})[0]?.replace(/ \{\}$/u, '') ?? '';
  return [hasValues ? name : `${name} {}`, ...inner];
};

const entry = (
  key: string,
  schema: ValueSchema,
  { width, isSet }: { readonly width: number; readonly isSet: boolean },
): readonly string[] => {
  const comment = commented(head(schema, width - 2));
  if (schema.default !== undefined) return [...comment, ...keyed(key, schema.default)];
  if (isGroup(schema)) {
    const group = groupEntry(key, schema, width);
    return [...comment, ...(isSet ? group : commented(group))];
  }
  // A value without a default is shown, but not set.
  return [...comment, ...commented([keyed(key, '')[0]?.replace(/ ""$/u, '') ?? ''])];
};

const entries = (schema: ValueSchema, width: number): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, value], at) => [
    ...(at > 0 && width === WIDTH ? [''] : []),
    ...entry(key, value, { width, isSet: schema.required?.includes(key) === true }),
  ]);

/** The `values.yaml` of a chart: every value with its description and default, in the order of the definition. */
export function valuesYaml(schema: ValueSchema): string {
  return `# Generated from the definition of the values by \`pnpm gen\`.\n\n${entries(schema, WIDTH).join('\n')}\n`;
}
