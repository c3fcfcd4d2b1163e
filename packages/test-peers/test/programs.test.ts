import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  buildGoProgram,
  openCachedFolder,
  PeerMissing,
  resolveDebianProgram,
} from '../src/programs.ts';

let folder: string;
const cached = (): string => join(folder, 'cache/gateway-test-peers');

const install = (name: string, script: string) =>
  writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  await mkdir(join(folder, 'bin'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Installs an `apt-get` that has lists of packages only after `update`, and a `dpkg-deb` that unpacks one program. */
const installDebian = async (program = 'sample-server'): Promise<void> => {
  await install(
    'apt-get',
    `echo "$*" >> ${folder}/asked
if [ "$1" = update ]; then touch ${folder}/lists; exit 0; fi
[ -e ${folder}/lists ] || { echo 'E: Unable to locate package' >&2; exit 100; }
echo package > "$3_1.0_amd64.deb"`,
  );
  await install('dpkg-deb', `mkdir -p "$3/usr/bin" && echo program > "$3/usr/bin/${program}"`);
};

describe('a program of a Debian package', () => {
  it('is unpacked once into the cache, which keeps nothing else', async () => {
    await installDebian();
    await writeFile(join(folder, 'lists'), '');
    const file = await resolveDebianProgram('sample-server');
    expect(await resolveDebianProgram('sample-server')).toBe(file);
    expect(await readdir(cached())).toEqual(['sample-server']);
    expect(await readFile(file, 'utf8')).toBe('program\n');
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe('download -qq sample-server\n');
  });

  it('is the one in PATH when there is one', async () => {
    await install('sample-server', '');
    expect(await resolveDebianProgram('sample-server')).toBe(join(folder, 'bin/sample-server'));
    expect(existsSync(cached())).toBe(false);
  });

  it('is missing without apt-get, and when the package does not have it', async () => {
    vi.stubEnv('PATH', join(folder, 'bin'));
    await expect(resolveDebianProgram('sample-server')).rejects.toThrow(
      new PeerMissing('sample-server is not in PATH'),
    );
    vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
    await installDebian('other');
    await writeFile(join(folder, 'lists'), '');
    await expect(resolveDebianProgram('sample-server')).rejects.toThrow(
      new PeerMissing('the package sample-server has no sample-server'),
    );
    expect(await readdir(cached())).toEqual([]);
  });

  it('is found after an update of empty lists, which only root may do', async () => {
    await installDebian();
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    await expect(resolveDebianProgram('sample-server')).rejects.toThrow('Unable to locate package');
    vi.spyOn(process, 'getuid').mockReturnValue(0);
    expect(existsSync(await resolveDebianProgram('sample-server'))).toBe(true);
  });
});

const program = (linkFlags: readonly string[] = []) => ({
  name: 'one',
  module: join(folder, 'module'),
  target: '.',
  linkFlags,
});

/** Installs a `go` that appends its arguments to a file and writes the program. */
const installGo = async (): Promise<void> => {
  const script = `for last; do previous="$out"; [ "$flag" = -o ] && out="$last"; flag="$last"; done
echo "$CGO_ENABLED $*" >> ${folder}/builds
echo built > "$out"`;
  await install('go', script);
};

const builds = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'builds'), 'utf8')).trim().split('\n');

describe('a program of a Go module', () => {
  beforeEach(async () => {
    vi.stubEnv('PATH', join(folder, 'bin'));
    await mkdir(join(folder, 'module'));
    await writeFile(join(folder, 'module/go.mod'), 'module one\n');
    await writeFile(join(folder, 'module/go.sum'), '');
  });

  it('is missing without Go', async () => {
    await expect(buildGoProgram(program())).rejects.toThrow(
      new PeerMissing('Go 1.24 or later is not in PATH'),
    );
  });

  it('is built once without C, and again after a change of the flags or of a library', async () => {
    await installGo();
    const file = await buildGoProgram(program());
    expect(await buildGoProgram(program())).toBe(file);
    expect(await builds()).toHaveLength(1);
    expect((await builds())[0]).toMatch(/^0 build -trimpath .* -o .*\/one-\w{16} \.$/);

    const other = await buildGoProgram(program(['-X a=b']));
    await writeFile(join(folder, 'module/go.sum'), 'changed');
    expect(new Set([file, other, await buildGoProgram(program())]).size).toBe(3);
    expect(await builds()).toHaveLength(3);
  });

  it('is missing when the build fails, with the last line of the compiler', async () => {
    await install('go', 'echo one >&2\necho "no module" >&2\nexit 1');
    await expect(buildGoProgram(program())).rejects.toThrow(/failed: no module$/);
  });
});

const fillWith = (text: string) => async (target: string) => {
  await mkdir(target);
  await writeFile(join(target, 'file'), text);
};

describe('a cached folder', () => {
  it('is filled once', async () => {
    const first = await openCachedFolder('browser', fillWith('first'));
    expect(await openCachedFolder('browser', fillWith('second'))).toBe(first);
    expect(await readFile(join(first, 'file'), 'utf8')).toBe('first');
    expect(await readdir(cached())).toEqual(['browser']);
  });

  it('does not exist after a filling that failed', async () => {
    const failing = async (target: string): Promise<void> => {
      await fillWith('half')(target);
      throw new Error('the disk is full');
    };
    await expect(openCachedFolder('browser', failing)).rejects.toThrow('the disk is full');
    expect(await readdir(cached())).toEqual([]);
  });

  it('is one for processes that fill it at the same time', async () => {
    const folders = await Promise.all(
      ['a', 'b', 'c'].map((text) => openCachedFolder('browser', fillWith(text))),
    );
    expect(new Set(folders).size).toBe(1);
    expect(await readdir(cached())).toEqual(['browser']);
  });
});
