import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolders, isSafeFolder, prepareFolder } from '../src/code-cache/cache-folder.ts';
import { codeName, readCode, writeCode } from '../src/code-cache/cached-code.ts';

const loader = resolve(import.meta.dirname, '../../repo-checks/bin/load-typescript.mjs');
const fixture = resolve(import.meta.dirname, 'fixtures/load.ts');
const SOURCE = 'module.exports = { sum: [1, 2, 3].reduce((a, b) => a + b), file: typeof require };';

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'code-cache-')));
  await mkdir(join(folder, 'app/dist'), { recursive: true });
  program = join(folder, 'app/dist/serving.cjs');
  await writeFile(program, SOURCE);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const own = (): string => join(folder, 'app/.cache/code');
const users = (): string => join(folder, 'user/gateway-code');
const files = async (path: string): Promise<readonly string[]> =>
  readdir(path).catch(() => ['no such folder']);

/** Loads the program in a process and returns what it exports. */
const load = async (environment: Record<string, string> = {}): Promise<unknown> => {
  const { NODE_V8_COVERAGE: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env;
  const env = { ...inherited, XDG_CACHE_HOME: join(folder, 'user'), ...environment };
  const args = ['--import', loader, fixture, program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
};
const EXPORTED = { sum: 6, file: 'function' };

describe('a program with stored code', () => {
  it('is compiled once for its content and used by later processes', async () => {
    expect(await load()).toEqual(EXPORTED);
    const [first = ''] = await files(own());
    const written = await stat(join(own(), first));
    expect(written.mode & 0o777).toBe(0o600);
    expect((await stat(own())).mode & 0o777).toBe(0o700);
    expect(await load()).toEqual(EXPORTED);
    expect((await stat(join(own(), first))).ino).toBe(written.ino);

    await writeFile(program, SOURCE.replace('1, 2, 3', '1, 2, 4'));
    expect(await load()).toEqual({ ...EXPORTED, sum: 7 });
    expect(await files(own())).toHaveLength(2);
  });

  it('runs when several processes start at once', async () => {
    const all = await Promise.all([load(), load(), load()]);
    expect(all).toEqual([EXPORTED, EXPORTED, EXPORTED]);
    expect(await files(own())).toHaveLength(1);
  });

  it.each([
    ['is damaged', (code: Buffer) => code.fill(0, code.length - 100)],
    ['is empty', (code: Buffer) => code.subarray(0, 0)],
  ])('is compiled again when the stored code %s', async (_, damage) => {
    await load();
    const [name = ''] = await files(own());
    const damaged = damage(await readFile(join(own(), name)));
    await writeFile(join(own(), name), damaged);
    expect(await load()).toEqual(EXPORTED);
    expect(await readFile(join(own(), name))).not.toEqual(damaged);
  });

  it('is compiled again when a pipe that nothing writes to has the name of the stored code', async () => {
    await load();
    const [name = ''] = await files(own());
    await rm(join(own(), name));
    await promisify(execFile)('mkfifo', [join(own(), name)]);
    expect(await load()).toEqual(EXPORTED);
    expect((await stat(join(own(), name))).isFile()).toBe(true);
  });

  it('starts and ends without an error when the folder of the user cannot be searched', async () => {
    await mkdir(own(), { recursive: true });
    await chmod(own(), 0o777);
    await mkdir(users(), { recursive: true, mode: 0o700 });
    await chmod(users(), 0);
    expect(await load()).toEqual(EXPORTED);
    await chmod(users(), 0o700);
  });

  it('has the errors of its own code', async () => {
    await writeFile(program, 'throw new RangeError("too many");');
    await expect(load()).rejects.toThrow(/^RangeError: too many$/mu);
    await writeFile(program, 'JSON.parse("{}"); require("fs").readFileSync("/none");');
    await expect(load()).rejects.toThrow(/^Error: ENOENT: no such file/mu);
  });

  it.each([
    ['is cut off', 'module.exports = { sum: [1, 2', 'Unexpected end of input'],
    ['has other bytes', 'const = 1;', "Unexpected token '='"],
    ['is empty', '', 'it has no content'],
    ['is missing', undefined, "Cannot find module 'FILE'"],
    ['misses a part', 'module.exports = require("./none.cjs");', "Cannot find module './none.cjs'"],
  ])('names its file when it %s', async (_, text, reason) => {
    await (text === undefined ? rm(program) : writeFile(program, text));
    const message = `Error: ${program} is damaged (${reason.replace('FILE', program)}): install or build the program again`;
    await expect(load()).rejects.toThrow(message);
    await expect(load({ NODE_DISABLE_COMPILE_CACHE: '1' })).rejects.toThrow(message);
  });

  it('is compiled always when NODE_DISABLE_COMPILE_CACHE is set', async () => {
    expect(await load({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(EXPORTED);
    expect(await files(own())).toEqual(['no such folder']);
    expect(await files(users())).toEqual(['no such folder']);
  });
});

describe('a part of a program', () => {
  const PART = 'module.exports = { sum: require("./serving.cjs").three() * 2, file: __filename };';
  const WITH_PART =
    'exports.three = () => 3; Object.assign(exports, require("./part.cjs"), { loads: globalThis.loads });';
  const part = (): string => join(folder, 'app/dist/part.cjs');
  beforeEach(async () => {
    await writeFile(
      program,
      `globalThis.loads = (globalThis.loads ?? 0) + 1; ${WITH_PART}`.replaceAll(
        'exports',
        'module.exports',
      ),
    );
    await writeFile(part(), PART);
  });

  it('shares the exports of the program, and has stored code of its own', async () => {
    expect(await load()).toEqual({ loads: 1, sum: 6, file: part() });
    expect(await files(own())).toHaveLength(2);
    expect(await load()).toEqual({ loads: 1, sum: 6, file: part() });
  });

  it('shares the exports of a program that is loaded through a link', async () => {
    await symlink('app/dist', join(folder, 'link'));
    program = join(folder, 'link/serving.cjs');
    expect(await load()).toEqual({ loads: 1, sum: 6, file: part() });
    expect(await load({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual({
      ...{ loads: 1, sum: 6, file: part() },
    });
  });

  it('is named when it is damaged', async () => {
    await writeFile(part(), 'module.exports = {');
    const message = `Error: ${part()} is damaged (Unexpected end of input): install or build the program again`;
    await expect(load()).rejects.toThrow(message);
  });

  it('can be missing until it is required', async () => {
    await rm(part());
    await expect(load()).rejects.toThrow("Cannot find module './part.cjs'");
  });
});

describe('a folder of stored code', () => {
  it('is in the cache of the user when others can write in that of the program', async () => {
    await mkdir(own(), { recursive: true });
    await chmod(own(), 0o777);
    expect(await load()).toEqual(EXPORTED);
    expect(await files(own())).toEqual([]);
    expect(await files(users())).toHaveLength(1);
  });

  it('is not used when it is a link', async () => {
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
    await mkdir(join(folder, 'app/.cache'), { mode: 0o700 });
    await symlink(join(folder, 'elsewhere'), own());
    await load();
    expect(await files(join(folder, 'elsewhere'))).toEqual([]);
  });

  it('is not used outside the program when others can replace a folder above it', async () => {
    await mkdir(users(), { recursive: true, mode: 0o700 });
    const outside = { path: users(), isOutside: true };
    expect(isSafeFolder(outside, program)).toBe(true);
    await chmod(folder, 0o777);
    expect(isSafeFolder(outside, program)).toBe(false);
    await chmod(folder, 0o1777);
    expect(isSafeFolder(outside, program)).toBe(true);
  });

  it('is not used when another user owns it', async () => {
    await mkdir(own(), { recursive: true, mode: 0o700 });
    const isOfRoot = (await stat(own())).uid === 0;
    const inside = { path: own(), isOutside: false };
    // Root owns it in a container, and the program with it.
    expect(isSafeFolder(inside, program, 12_345)).toBe(true);
    expect(isSafeFolder(inside, '/', 12_345)).toBe(isOfRoot);
  });

  it('keeps the 16 files that were written last', () => {
    const folders = cacheFolders(program, { XDG_CACHE_HOME: join(folder, 'user') });
    const names = Array.from({ length: 18 }, (_, index) => `${index.toString()}.code`);
    for (const name of names) writeCode(name, Buffer.from(name), folders, program);
    const kept = names.filter((name) => readCode(name, folders, program) !== undefined);
    expect(kept).toHaveLength(16);
    expect(readCode('17.code', folders, program)?.toString()).toBe('17.code');
  });

  it('is only that of the package when the user has no home', () => {
    const home = (): string => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    expect(cacheFolders(program, {}, home)).toEqual([{ path: own(), isOutside: false }]);
    expect(cacheFolders(program, { XDG_CACHE_HOME: join(folder, 'user') }, home)).toEqual([
      { path: own(), isOutside: false },
      { path: users(), isOutside: true },
    ]);
    expect(cacheFolders(program, {}, () => '/home/me')[1]?.path).toBe(
      '/home/me/.cache/gateway-code',
    );
  });

  it('is created in a package only by its owner', async () => {
    const inside = { path: own(), isOutside: false };
    expect(prepareFolder(inside, program, 12_345)).toBe(false);
    expect(await files(join(folder, 'app'))).toEqual(['dist']);
    expect(prepareFolder(inside, program)).toBe(true);
  });

  it('is not created by root in the home of another user', async () => {
    const home = join(folder, 'home');
    await mkdir(home);
    if (process.getuid?.() === 0) await chown(home, 12_345, 12_345);
    const outside = { path: join(home, '.cache/gateway-code'), isOutside: true };
    expect(prepareFolder(outside, program, 0)).toBe(false);
    expect(await files(home)).toEqual([]);
  });

  it('does not appear again when the program was removed', async () => {
    const folders = cacheFolders(program, { XDG_CACHE_HOME: join(folder, 'user') });
    await rm(join(folder, 'app'), { recursive: true });
    writeCode('1.code', Buffer.from('1'), folders, program);
    expect(await files(folder)).toEqual([]);
  });

  it('keeps the unfinished file of a process with the same id', async () => {
    await mkdir(own(), { recursive: true, mode: 0o700 });
    const other = join(own(), `1.code.${process.pid.toString()}`);
    await writeFile(other, 'unfinished');
    writeCode('1.code', Buffer.from('1'), cacheFolders(program, {}), program);
    expect(await readFile(other, 'utf8')).toBe('unfinished');
    expect(await files(own())).toContain('1.code');
  });

  it('has the only copy of the code when older files cannot be removed', async () => {
    const folders = cacheFolders(program, { XDG_CACHE_HOME: join(folder, 'user') });
    for (const name of ['a', 'b', 'c', 'd']) await mkdir(join(own(), name), { recursive: true });
    await chmod(own(), 0o700);
    await chmod(join(own(), '..'), 0o700);
    writeCode('1.code', Buffer.from('1'), folders, program);
    expect(await files(own())).toContain('1.code');
    expect(await files(users())).toEqual(['no such folder']);
  });

  it('stays empty when a file cannot be written or removed', async () => {
    const folders = cacheFolders(program, { XDG_CACHE_HOME: join(folder, 'user') });
    // Longer than the name of a file can be.
    writeCode('1'.repeat(300), Buffer.from('1'), folders, program);
    expect(await files(own())).toEqual([]);
    expect(await files(users())).toEqual([]);
  });

  it('has a file for each source and build of Node', () => {
    expect(codeName(Buffer.from('a'), 'v20.19.6')).not.toBe(codeName(Buffer.from('a'), 'v20.20.2'));
    expect(codeName(Buffer.from('a'))).toBe(codeName(Buffer.from('a')));
    expect(codeName(Buffer.from('a'))).not.toBe(codeName(Buffer.from('b')));
  });
});
