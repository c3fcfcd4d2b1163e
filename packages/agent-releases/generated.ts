import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedFile } from '@gateway/repo-checks';
import { parse } from 'yaml';

const CHART = join(import.meta.dirname, '../charts/agent');

const read = async (file: string): Promise<string> => await readFile(join(CHART, file), 'utf8');

/** What people read of a schema, and Helm does not judge by. */
const WORDS: ReadonlySet<string> = new Set(['description', 'examples', 'default', '$schema']);

type Schema = Readonly<Record<string, unknown>>;

/** The keywords that judge: of a map of properties every name is kept, whatever it is. */
const judging = (schema: Schema): Schema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !WORDS.has(keyword))
      .map(([keyword, value]) => [keyword, keyword === 'properties' ? named(value) : inner(value)]),
  );

const inner = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? judging(value as Schema)
    : value;

const named = (properties: unknown): Schema =>
  Object.fromEntries(
    Object.entries(properties as Schema).map(([name, value]) => [name, inner(value)]),
  );

/** A map as a literal, one line for each key. */
const literal = (map: Schema): string =>
  [
    '{',
    ...Object.entries(map).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},`),
    '  }',
  ].join('\n');

const embeddedChart = async (): Promise<string> => {
  const { name, version } = parse(await read('Chart.yaml')) as Schema;
  const defaults = parse(await read('values.yaml')) as Schema;
  const schema = judging(JSON.parse(await read('values.schema.json')) as Schema);
  return [
    '// Generated from the agent chart by `pnpm gen`.',
    '',
    '/** The agent chart that this version supports: its default values and the schema of its values. */',
    'export const EMBEDDED_CHART = {',
    `  name: ${JSON.stringify(name)},`,
    `  version: ${JSON.stringify(version)},`,
    `  defaults: ${literal(defaults)},`,
    `  schema: ${literal(schema)},`,
    '} as const;',
    '',
  ].join('\n');
};

/** What agent-manager knows of the agent chart without asking anybody. */
export const generated: readonly GeneratedFile[] = [
  { path: 'packages/agent-releases/src/chart/embedded-chart.ts', text: embeddedChart },
];
