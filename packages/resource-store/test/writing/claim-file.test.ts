import { readFile, utimes, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { claimFile, replaceWholeFileIf } from '../../src/index.ts';
import { configurationDirectory } from '../configuration-directory.ts';

it('claims for one at a time, and knows when the claim was taken away', async () => {
  const { at } = await configurationDirectory();
  const claim = await claimFile(at('a'));
  expect(await claimFile(at('mcpservers', '..', 'a'))).toEqual({ ok: false, holder: process.pid });
  if (!claim.ok) throw new Error('it is held');
  expect(claim.isHeld()).toBe(true);
  await writeFile(at('a'), 'ffffffff 1\n');
  expect(claim.isHeld()).toBe(false);
  await claim.release();
  await claim.release();
  expect((await claimFile(at('a'))).ok).toBe(true);
});

it('leaves the claim of another machine alone for as long as it is asked to', async () => {
  const { at } = await configurationDirectory();
  await writeFile(at('a'), 'ffffffff 7 123\n');
  expect(await claimFile(at('a'), { foreignMs: 10_000 })).toEqual({ ok: false, holder: 7 });
  const old = Date.now() / 1000 - 11;
  await utimes(at('a'), old, old);
  expect((await claimFile(at('a'), { foreignMs: 10_000 })).ok).toBe(true);
});

it('replaces a file only while it is what it was', async () => {
  const { at, write } = await configurationDirectory();
  const options = { mode: 0o666, isDurable: false };
  const replace = (isUnchanged: boolean): Promise<boolean> =>
    replaceWholeFileIf(at('a'), 'new', { ...options, isUnchanged: () => isUnchanged });
  expect(await replace(true)).toBe(false);
  await write('a', 'old');
  expect(await replace(false)).toBe(false);
  expect(await readFile(at('a'), 'utf8')).toBe('old');
  expect(await replace(true)).toBe(true);
  expect(await readFile(at('a'), 'utf8')).toBe('new');
});
