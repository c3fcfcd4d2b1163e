import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStateDirectory } from '../src/index.ts';
import { asOrdinaryUser, configurationDirectory } from './configuration-directory.ts';

const openedAt = async (directory: string) => {
  const opened = await openStateDirectory(directory);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.state;
};

describe('a state directory', () => {
  it('is made for its owner alone, and keeps texts whole', async () => {
    const { at } = await configurationDirectory();
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
  it('is for one at a time', async () => {
    const { at } = await configurationDirectory();
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
  it('is for one at a time when many want it at once, with a lock left behind and without', async () => {
    const { at } = await configurationDirectory();
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
  it('is taken over from a process that is gone, or that got its id later', async () => {
    const { at } = await configurationDirectory();
    const state = await openedAt(at('state'));
    const lock = await readFile(at('state/.lock'), 'utf8');
    await state.release();
    // Who runs as the parent now began at another time.
    for (const holder of ['999999999', String(process.pid), String(process.ppid), 'nonsense']) {
      await writeFile(at('state/.lock'), lock.replace(String(process.pid), holder));
      await (await openedAt(at('state'))).release();
    }
  });
  it('is left to a process that is alive', async () => {
    const { at } = await configurationDirectory();
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
  it('is not made where its parent is missing', async () => {
    const { at } = await configurationDirectory();
    expect(await openStateDirectory(at('gone/state'))).toEqual({
      ok: false,
      reason: 'its directory does not exist',
    });
  });
  it('says that it may not be written to', async () => {
    const { at, directory } = await configurationDirectory();
    await mkdir(at('state'));
    await chmod(at('state'), 0o555);
    const opened = await asOrdinaryUser(directory, () => openStateDirectory(at('state')));
    expect(opened).toEqual({ ok: false, reason: 'permission denied' });
  });
});
