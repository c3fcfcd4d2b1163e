import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that is compiled', async () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(await read('README.md')) ?? [];
  expect(shown).toBe(await read('examples/share-counter.ts'));
});
