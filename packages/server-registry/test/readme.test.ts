import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { specOf } from '../examples/install-server.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/install-server.ts'));
});

it('returns the result of the example', () => {
  const entry = {
    ...{ registryType: 'npm', identifier: 'weather', version: '1.0.0' },
    transport: { type: 'stdio' },
    environmentVariables: [{ name: 'API_KEY', isRequired: true, isSecret: true }],
  };
  const text = JSON.stringify({ name: 'a/weather', version: '1.0.0', packages: [entry] });
  expect(specOf(text, { API_KEY: 'abc' })).toEqual({
    spec: {
      ...{ type: 'stdio', command: 'npx', args: ['-y', 'weather@1.0.0'], autoStart: false },
      envFrom: [{ name: 'API_KEY', secretKeyRef: { name: 'weather', key: 'API_KEY' } }],
    },
    files: ['secrets/weather/API_KEY'],
  });
  expect(specOf(text, {})).toBeUndefined();
});
