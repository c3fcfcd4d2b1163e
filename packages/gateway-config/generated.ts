import type { GeneratedFile } from '@gateway/repo-checks';
import { readFileSync } from 'node:fs';
import { configJsonSchema } from './src/schema/config-json-schema.ts';

interface KeySchema {
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, KeySchema>>;
}

type Row = readonly [key: string, value: string, meaning: string];

const code = (text: string): string => `\`${text}\``;

function defaultText({ default: value }: KeySchema): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? code(value) : String(value);
}

const rowsOf = ({ properties = {} }: KeySchema, parent = ''): readonly Row[] =>
  Object.entries(properties).flatMap(([name, schema]): readonly Row[] => {
    const key = `${parent}${name}`;
    return key !== 'toolsetPresets' && schema.properties !== undefined
      ? rowsOf(schema, `${key}.`)
      : [[code(key), defaultText(schema), schema.description ?? '']];
  });

/** Formats a table as Prettier does. */
function tableText(rows: readonly Row[]): string {
  const header: Row = ['key', 'default', 'meaning'];
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows].map(line).join('\n');
}

const PAGE = 'docs/configuration.md';
const TABLE = /(?<=\n## `config\.yaml`\n\n)(?:\|.*\n)+/u;

/**
 * `config.schema.json`: the output of `gateway schema config`.
 * `docs/configuration.md`: its table of keys; the rest of the page is written by hand.
 */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'packages/gateway-config/config.schema.json',
    text: () => `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  },
  {
    path: PAGE,
    text: () =>
      readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8').replace(
        TABLE,
        `${tableText(rowsOf(configJsonSchema() as KeySchema))}\n`,
      ),
  },
];
