import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { follow } from '../examples/follow-a-directory.ts';
import { configurationDirectory, serverText } from './configuration-directory.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/follow-a-directory.ts'));
});

it('writes what the example says', async () => {
  const { directory, write, at } = await configurationDirectory();
  await write('mcpservers/a.yaml', serverText('a'));
  await write('mcpservers/b.yaml', '');
  const lines: string[] = [];
  const close = await follow(directory, (line) => lines.push(line));
  await write('mcpservers/b.yaml', serverText('b'));
  await vi.waitFor(() => {
    expect(lines).toEqual([
      `${at('mcpservers/b.yaml')}: the file is empty`,
      'servers: a',
      'servers: a b',
    ]);
  }, 10_000);
  await close();
});
