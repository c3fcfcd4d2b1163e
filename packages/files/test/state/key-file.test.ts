import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openKeyFile } from '../../src/index.ts';
import { asOrdinaryUser, temporaryDirectory } from '../temporary-directory.ts';

const KEY = '0123456789abcdef'.repeat(4);

const hexOf = async (file: string, mayReplace = false): Promise<string> => {
  const opened = await openKeyFile(file, { mayReplace });
  if (!opened.ok) throw new Error(opened.reason);
  return Buffer.from(opened.key).toString('hex');
};

describe('a key file', () => {
  it('is created with 32 random bytes for its owner only, and read afterwards', async () => {
    const { at } = await temporaryDirectory();
    const key = await hexOf(at('key'));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(at('key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(at('key'), 'utf8')).toBe(`${key}\n`);
    expect([await hexOf(at('key')), await hexOf(at('key'), true)]).toEqual([key, key]);
    expect(await hexOf(at('other'))).not.toBe(key);
    expect((await readdir(at('.'))).toSorted()).toEqual(['key', 'other']);
  });

  it('has one key for all that open it at the same time, one of which may replace it', async () => {
    const { at } = await temporaryDirectory();
    for (const left of [undefined, 'damaged']) {
      if (left !== undefined) await writeFile(at('key'), left);
      const opened = await Promise.all(
        Array.from({ length: 20 }, (_, n) => openKeyFile(at('key'), { mayReplace: n === 0 })),
      );
      const keys = opened.flatMap((one) => (one.ok ? [Buffer.from(one.key).toString('hex')] : []));
      expect(new Set(keys)).toEqual(new Set([(await readFile(at('key'), 'utf8')).trim()]));
      // Those without a key have found the damaged file.
      if (left === undefined) expect(keys).toHaveLength(20);
    }
  });

  it.each([
    ['is empty', ''],
    ['is short', KEY.slice(1)],
    ['is long', `${KEY}00`],
    ['has other characters', `${KEY.slice(2)}zz`],
    ['is not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
    ['is very long', 'a'.repeat(100_000)],
  ])(
    'that %s is damaged: it is left alone, or replaced where that is allowed',
    async (_, content) => {
      const { at } = await temporaryDirectory();
      await writeFile(at('key'), content, { mode: 0o600 });
      const before = await readFile(at('key'));
      const damaged = { ok: false, reason: 'it is damaged' };
      expect(await openKeyFile(at('key'), { mayReplace: false })).toEqual(damaged);
      expect(await readFile(at('key'))).toEqual(before);
      const opened = await openKeyFile(at('key'), { mayReplace: true });
      expect(opened).toMatchObject({ ok: true, replaced: 'it is damaged' });
      expect((await stat(at('key'))).mode & 0o777).toBe(0o600);
      expect(await hexOf(at('key'))).toBe((await readFile(at('key'), 'utf8')).trim());
    },
  );

  it.each([
    [0o600, undefined],
    [0o400, undefined],
    [0o660, undefined],
    [0o604, 'it is accessible to all users'],
    [0o602, 'it is accessible to all users'],
  ])('with permissions %o has a key or the reason %s', async (mode, reason) => {
    const { at } = await temporaryDirectory();
    await writeFile(at('key'), KEY);
    await chmod(at('key'), mode);
    const opened = await openKeyFile(at('key'), { mayReplace: false });
    expect(opened).toEqual(
      reason === undefined ? { ok: true, key: Buffer.from(KEY, 'hex') } : { ok: false, reason },
    );
    const replaced = await openKeyFile(at('key'), { mayReplace: true });
    expect(replaced.ok && replaced.replaced).toBe(reason);
    expect((await stat(at('key'))).mode & 0o777).toBe(reason === undefined ? mode : 0o600);
  });

  it('is no link, no directory and nothing unreadable', async () => {
    const { at } = await temporaryDirectory();
    await writeFile(at('target'), KEY, { mode: 0o600 });
    await symlink(at('target'), at('link'));
    await mkdir(at('directory'));
    const reason = 'it is not a regular file';
    expect(await openKeyFile(at('link'), { mayReplace: false })).toEqual({ ok: false, reason });
    expect(await openKeyFile(at('directory'), { mayReplace: true })).toEqual({ ok: false, reason });
    expect(await openKeyFile(at('link'), { mayReplace: true })).toMatchObject({ replaced: reason });
    expect(await readFile(at('target'), 'utf8')).toBe(KEY);
    expect(await openKeyFile(at('missing/key'), { mayReplace: true })).toEqual({
      ok: false,
      reason: 'its directory does not exist',
    });
  });

  it('of another user is not used, and none is created in a read-only directory', async () => {
    const { at, directory } = await temporaryDirectory();
    await mkdir(at('state'));
    await writeFile(at('state/key'), KEY, { mode: 0o644 });
    await chmod(at('state'), 0o555);
    const open = (file: string) =>
      asOrdinaryUser(directory, () => openKeyFile(at(file), { mayReplace: true }));
    const isOther = process.getuid?.() === 0;
    const reason = isOther ? 'it belongs to another user' : 'it is accessible to all users';
    expect(await open('state/key')).toEqual({ ok: false, reason });
    expect(await open('state/new')).toEqual({ ok: false, reason: 'permission denied' });
    expect(await readdir(at('state'))).toEqual(['key']);
    await chmod(at('state'), 0o755);
  });
});
