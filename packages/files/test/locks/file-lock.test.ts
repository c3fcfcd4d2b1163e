import { readFile, utimes, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { replaceFileIfUnchanged } from '../../src/index.ts';
import { acquireFileLock } from '../../src/file-lock.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

it('is held by one holder at a time, and detects that it was removed', async () => {
  const { at } = await temporaryDirectory();
  const lock = await acquireFileLock(at('a'));
  expect(await acquireFileLock(at('other', '..', 'a'))).toEqual({ ok: false, holder: process.pid });
  if (!lock.ok) throw new Error('it is held');
  expect(lock.isHeld()).toBe(true);
  await writeFile(at('a'), 'ffffffff 1\n');
  expect(lock.isHeld()).toBe(false);
  await lock.release();
  await lock.release();
  expect((await acquireFileLock(at('a'))).ok).toBe(true);
});

it('respects the lock of another machine for the given time', async () => {
  const { at } = await temporaryDirectory();
  await writeFile(at('a'), 'ffffffff 7 123\n');
  expect(await acquireFileLock(at('a'), { foreignMs: 10_000 })).toEqual({ ok: false, holder: 7 });
  const old = Date.now() / 1000 - 11;
  await utimes(at('a'), old, old);
  expect((await acquireFileLock(at('a'), { foreignMs: 10_000 })).ok).toBe(true);
});

it('replaces a file only while it is unchanged', async () => {
  const { at, write } = await temporaryDirectory();
  const options = { mode: 0o666, isDurable: false };
  const replace = (isUnchanged: boolean): Promise<boolean> =>
    replaceFileIfUnchanged(at('a'), 'new', { ...options, isUnchanged: () => isUnchanged });
  expect(await replace(true)).toBe(false);
  await write('a', 'old');
  expect(await replace(false)).toBe(false);
  expect(await readFile(at('a'), 'utf8')).toBe('old');
  expect(await replace(true)).toBe(true);
  expect(await readFile(at('a'), 'utf8')).toBe('new');
});
