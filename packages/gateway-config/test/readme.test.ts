import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPort } from '../examples/read-port.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that this test runs', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/read-port.ts'));
});

it('returns the port of the example, or its problems', () => {
  expect(readPort({ http: { port: 9000 } })).toBe(9000);
  expect(readPort({})).toBe(8090);
  expect(readPort({ http: { port: 70_000 } })).toEqual([
    'http.port: must be a whole number from 0 to 65535',
  ]);
});
