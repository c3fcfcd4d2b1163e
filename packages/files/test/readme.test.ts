import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { changeSetting } from '../examples/change-a-setting.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that is run here', () => {
  const shown = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(shown).toEqual([read('examples/change-a-setting.ts')]);
});

it('changes a setting and preserves comments', async () => {
  const { at, write } = await temporaryDirectory();
  expect(await changeSetting(at('new.yaml'), { port: 1 })).toBe('created');
  await write('a.yaml', '# The port.\nport: 1 # default\nhost: x\n');
  expect(await changeSetting(at('a.yaml'), { port: 2 })).toBe('changed');
  expect(await readFile(at('a.yaml'), 'utf8')).toBe('# The port.\nport: 2 # default\nhost: x\n');
});
