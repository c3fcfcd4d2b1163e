import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { serveOne } from '../examples/serve-one.ts';
import { defineServer, referenceServer } from './harness/servers.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that is tested here', async () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(await read('README.md')) ?? [];
  expect(shown).toBe(await read('examples/serve-one.ts'));
});

it('runs the example', async () => {
  const everything = defineServer('everything', {
    type: 'stdio',
    command: process.execPath,
    args: [referenceServer('everything'), 'stdio'],
  });
  expect(await serveOne([everything])).toBe('{"content":[{"type":"text","text":"Echo: hi"}]}');
});
