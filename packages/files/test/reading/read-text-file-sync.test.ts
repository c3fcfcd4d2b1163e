import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTextFile, readTextFileSync } from '../../src/index.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** Reads a file synchronously, checks that the asynchronous read gives the same, and returns the result without times. */
const readBoth = async (file: string, maxBytes?: number): Promise<object> => {
  const options = maxBytes === undefined ? {} : { maxBytes };
  const { times: _, ...atOnce } = { times: undefined, ...readTextFileSync(file, options) };
  const later = await readTextFile(file, { ...options, refuseLinks: true });
  expect(later).toMatchObject(atOnce);
  return atOnce;
};

it('reads a text', async () => {
  const { at } = await temporaryDirectory();
  await writeFile(at('text'), 'a: 1 # \u{1F600}\n');
  expect(await readBoth(at('text'))).toEqual({ kind: 'text', text: 'a: 1 # \u{1F600}\n' });
  await writeFile(at('empty'), '');
  expect(await readBoth(at('empty'))).toEqual({ kind: 'text', text: '' });
  await writeFile(at('marked'), '\uFEFFa: 1\n');
  expect(await readBoth(at('marked'))).toEqual({ kind: 'text', text: 'a: 1\n' });
});

it('reports a missing file as absent', async () => {
  const { at } = await temporaryDirectory();
  expect(await readBoth(at('nothing'))).toEqual({ kind: 'absent' });
});

it('reads up to the maximum number of bytes', async () => {
  const { at } = await temporaryDirectory();
  await writeFile(at('four'), 'four');
  expect(await readBoth(at('four'), 4)).toEqual({ kind: 'text', text: 'four' });
  expect(await readBoth(at('four'), 3)).toEqual({
    kind: 'refused',
    message: 'is larger than 3 bytes',
  });
});

it('refuses invalid UTF-8', async () => {
  const { at } = await temporaryDirectory();
  await writeFile(at('bytes'), Buffer.from([0x61, 0xff]));
  expect(await readBoth(at('bytes'))).toEqual({ kind: 'refused', message: 'is not valid UTF-8' });
});

it.each([
  ['directory', (file: string) => mkdir(file)],
  ['link', (file: string) => symlink('..', file)],
  ['loop', (file: string) => symlink(file, file)],
  ['pipe', (file: string) => execFileSync('mkfifo', [file])],
])('does not read a %s', async (name, make) => {
  const { at } = await temporaryDirectory();
  await make(at(name));
  expect(await readBoth(at(name))).toEqual({ kind: 'failed', message: 'is not a regular file' });
});
