import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

it('prints the schema of config.yaml that is also shipped as a file', async () => {
  const { code, stdout } = await runCommand(['schema', 'config']);
  const shipped = readFileSync(
    new URL('../../gateway-config/config.schema.json', import.meta.url),
    'utf8',
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: shipped });
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
    properties: { http: { properties: { port: { type: 'integer', default: 8090 } } } },
  });
});

it('prints nothing for an unknown kind', async () =>
  expect(await runCommand(['schema', 'configuration'])).toMatchObject({ code: 2, stdout: '' }));
