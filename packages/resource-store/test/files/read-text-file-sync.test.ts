import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTextFile, readTextFileSync } from '../../src/index.ts';
import { configurationDirectory } from '../configuration-directory.ts';

/** What is read of a file, which is the same both ways; the times apart. */
const said = async (file: string, maxBytes?: number): Promise<object> => {
  const options = maxBytes === undefined ? {} : { maxBytes };
  const { times: _, ...atOnce } = { times: undefined, ...readTextFileSync(file, options) };
  const later = await readTextFile(file, { ...options, refuseLinks: true });
  expect(later).toMatchObject(atOnce);
  return atOnce;
};

it('reads a text', async () => {
  const { at } = await configurationDirectory();
  await writeFile(at('text'), 'a: 1 # \u{1F600}\n');
  expect(await said(at('text'))).toEqual({ kind: 'text', text: 'a: 1 # \u{1F600}\n' });
  await writeFile(at('empty'), '');
  expect(await said(at('empty'))).toEqual({ kind: 'text', text: '' });
  await writeFile(at('marked'), '\uFEFFa: 1\n');
  expect(await said(at('marked'))).toEqual({ kind: 'text', text: 'a: 1\n' });
});

it('finds nothing where nothing is', async () => {
  const { at } = await configurationDirectory();
  expect(await said(at('nothing'))).toEqual({ kind: 'absent' });
});

it('reads up to as many bytes as it is asked to', async () => {
  const { at } = await configurationDirectory();
  await writeFile(at('four'), 'four');
  expect(await said(at('four'), 4)).toEqual({ kind: 'text', text: 'four' });
  expect(await said(at('four'), 3)).toEqual({ kind: 'refused', message: 'is larger than 3 bytes' });
});

it('refuses what is no text', async () => {
  const { at } = await configurationDirectory();
  await writeFile(at('bytes'), Buffer.from([0x61, 0xff]));
  expect(await said(at('bytes'))).toEqual({ kind: 'refused', message: 'is not valid UTF-8' });
});

it.each([
  ['directory', (file: string) => mkdir(file)],
  ['link', (file: string) => symlink('..', file)],
  ['loop', (file: string) => symlink(file, file)],
  ['pipe', (file: string) => execFileSync('mkfifo', [file])],
])('takes a %s for no file', async (name, make) => {
  const { at } = await configurationDirectory();
  await make(at(name));
  expect(await said(at(name))).toEqual({ kind: 'failed', message: 'is not a regular file' });
});
