import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStateDirectory } from '../../src/index.ts';
import { asOrdinaryUser, temporaryDirectory } from '../temporary-directory.ts';

const openedAt = async (directory: string) => {
  const opened = await openStateDirectory(directory);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.state;
};

describe('a state directory', () => {
  it('is created for its owner only, and writes texts atomically', async () => {
    const { at } = await temporaryDirectory();
    const state = await openedAt(at('state'));
    expect((await stat(at('state'))).mode & 0o777).toBe(0o700);
    const text = state.text('tools.json');
    expect(await text.read()).toBeUndefined();
    await text.write('one');
    await text.write('two');
    expect(await text.read()).toBe('two');
    expect((await stat(at('state/tools.json'))).mode & 0o777).toBe(0o600);
    await state.release();
    expect(await readdir(at('state'))).toEqual(['tools.json']);
  });
  it('is locked for one process at a time', async () => {
    const { at } = await temporaryDirectory();
    const state = await openedAt(at('state'));
    const reason = `process ${String(process.pid)} is using it`;
    expect(await openStateDirectory(at('state'))).toEqual({ ok: false, reason });
    expect(await openStateDirectory(path.join(at('state'), '..', 'state'))).toEqual({
      ok: false,
      reason,
    });
    await state.release();
    await (await openedAt(at('state'))).release();
  });
  it('is locked for one of many concurrent openers, with and without an abandoned lock', async () => {
    const { at } = await temporaryDirectory();
    for (const left of [undefined, '', 'elsewhere 1\n', 'ffffffff 1\n']) {
      await mkdir(at('state'), { recursive: true });
      if (left !== undefined) await writeFile(at('state/.lock'), left);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => openStateDirectory(at('state'))),
      );
      const won = all.filter((one) => one.ok);
      expect(won).toHaveLength(1);
      for (const { state } of won) await state.release();
      expect(await readdir(at('state'))).toEqual([]);
    }
  });
  it('is acquired from a process that has ended or that got its id later', async () => {
    const { at } = await temporaryDirectory();
    const state = await openedAt(at('state'));
    const lock = await readFile(at('state/.lock'), 'utf8');
    await state.release();
    // The parent process started at another time.
    for (const holder of ['999999999', String(process.pid), String(process.ppid), 'nonsense']) {
      await writeFile(at('state/.lock'), lock.replace(String(process.pid), holder));
      await (await openedAt(at('state'))).release();
    }
  });
  it('stays locked by a running process', async () => {
    const { at } = await temporaryDirectory();
    const state = await openedAt(at('state'));
    const lock = await readFile(at('state/.lock'), 'utf8');
    await state.release();
    const about = await readFile(`/proc/${String(process.ppid)}/stat`, 'utf8');
    const start = about.slice(about.lastIndexOf(')')).split(' ')[20] ?? '';
    const [machine = ''] = lock.split(' ');
    await writeFile(at('state/.lock'), `${machine} ${String(process.ppid)} ${start}\n`);
    const reason = `process ${String(process.ppid)} is using it`;
    expect(await openStateDirectory(at('state'))).toEqual({ ok: false, reason });
  });
  it('is not created when its parent is missing', async () => {
    const { at } = await temporaryDirectory();
    expect(await openStateDirectory(at('gone/state'))).toEqual({
      ok: false,
      reason: 'its directory does not exist',
    });
  });
  it('reports missing write permission', async () => {
    const { at, directory } = await temporaryDirectory();
    await mkdir(at('state'));
    await chmod(at('state'), 0o555);
    const opened = await asOrdinaryUser(directory, () => openStateDirectory(at('state')));
    expect(opened).toEqual({ ok: false, reason: 'permission denied' });
  });
});
