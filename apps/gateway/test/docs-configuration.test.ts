import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from '@gateway/gateway-config';
import { REPOSITORY } from './harness/example-copy.ts';
import { tableRows } from './harness/markdown.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const leavesOf = ({ properties = {} }: Schema, path: string): readonly string[][] =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const at = `${path}${key}`;
    return schema.properties === undefined
      ? [[`\`${at}\``, schema.description ?? '']]
      : leavesOf(schema, `${at}.`);
  });

it('means what the table of the configuration says, key by key', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/configuration.md'), 'utf8');
  const rows = tableRows(page, '`config.yaml`').map(([key = '', , meaning = '']) => [key, meaning]);
  const documented = rows.map(([key = '', meaning = '']) => [
    key,
    meaning === 'presets, below' ? 'presets by name' : meaning,
  ]);
  const byKey = (list: readonly (readonly string[])[]) =>
    list.map((row) => row.join(' | ')).toSorted();
  expect(byKey(documented)).toEqual(byKey(leavesOf(configJsonSchema() as Schema, '')));
});
