import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../src/configuration/config-json-schema.ts';
import { runCommand } from './harness/cli.ts';
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

it('is what `gateway schema config` prints, and what is shipped as a file', async () => {
  const { code, stdout } = await runCommand(['schema', 'config']);
  const shipped = readFileSync(join(REPOSITORY, 'apps/gateway/config.schema.json'), 'utf8');
  expect({ code, stdout }).toEqual({ code: 0, stdout: shipped });
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
    properties: { http: { properties: { port: { type: 'integer', default: 8090 } } } },
  });
});

it('prints nothing of what it does not know', async () =>
  expect(await runCommand(['schema', 'configuration'])).toMatchObject({ code: 2, stdout: '' }));
