import { stringify } from 'yaml';
import type { ValueSchema } from './chart-schema.ts';

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

const comment = (text: string | undefined, indent: string): readonly string[] =>
  text === undefined
    ? []
    : wrapped(text, WIDTH - indent.length - 2).map((line) => `${indent}# ${line}`);

const keyed = (key: string, value: unknown, indent: string): readonly string[] =>
  stringify({ [key]: value }, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => indent + line);

const entry = (key: string, schema: ValueSchema, indent: string): readonly string[] => {
  const head = comment(schema.description, indent);
  if (schema.default !== undefined) return [...head, ...keyed(key, schema.default, indent)];
  if (Object.keys(schema.properties ?? {}).length > 0)
    return [...head, `${indent}${key}:`, ...entries(schema, `${indent}  `)];
  // A value without a default is shown, but not set.
  return [...head, `${indent}# ${key}:`];
};

const entries = (schema: ValueSchema, indent: string): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, value], at) => [
    ...(at > 0 && indent === '' ? [''] : []),
    ...entry(key, value, indent),
  ]);

/** The `values.yaml` of a chart: every value with its description and default, in the order of the definition. */
export function valuesYaml(schema: ValueSchema): string {
  return `# Generated from the definition of the values by \`pnpm gen\`.\n\n${entries(schema, '').join('\n')}\n`;
}
