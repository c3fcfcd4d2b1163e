import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCachedFolder } from '../src/programs.ts';

let cache: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'cached-folder-'));
  vi.stubEnv('XDG_CACHE_HOME', cache);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(cache, { recursive: true });
});

const fillWith = (text: string) => async (folder: string) => {
  await mkdir(folder);
  await writeFile(join(folder, 'file'), text);
};

const kept = (): Promise<string[]> => readdir(join(cache, 'gateway-test-peers'));

describe('a cached folder', () => {
  it('is filled once', async () => {
    const first = await openCachedFolder('browser', fillWith('first'));
    expect(await openCachedFolder('browser', fillWith('second'))).toBe(first);
    expect(await readFile(join(first, 'file'), 'utf8')).toBe('first');
    expect(await kept()).toEqual(['browser']);
  });

  it('does not exist after a filling that failed', async () => {
    const failing = async (folder: string): Promise<void> => {
      await fillWith('half')(folder);
      throw new Error('the disk is full');
    };
    await expect(openCachedFolder('browser', failing)).rejects.toThrow('the disk is full');
    expect(await kept()).toEqual([]);
  });

  it('is one for processes that fill it at the same time', async () => {
    const folders = await Promise.all(
      ['a', 'b', 'c'].map((text) => openCachedFolder('browser', fillWith(text))),
    );
    expect(new Set(folders).size).toBe(1);
    expect(await kept()).toEqual(['browser']);
  });
});
