import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

it('is what `gateway schema config` prints, and what is shipped as a file', async () => {
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

it('prints nothing of what it does not know', async () =>
  expect(await runCommand(['schema', 'configuration'])).toMatchObject({ code: 2, stdout: '' }));
