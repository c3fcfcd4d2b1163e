import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveDebianProgram, PeerMissing } from '../src/programs.ts';

let folder: string;
const openCachedFolder = (): string => join(folder, 'cache/gateway-test-peers');

const install = (name: string, script: string) =>
  writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'debian-'));
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
    expect(await readdir(openCachedFolder())).toEqual(['sample-server']);
    expect(await readFile(file, 'utf8')).toBe('program\n');
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe('download -qq sample-server\n');
  });

  it('is the one in PATH when there is one', async () => {
    await install('sample-server', '');
    expect(await resolveDebianProgram('sample-server')).toBe(join(folder, 'bin/sample-server'));
    expect(existsSync(openCachedFolder())).toBe(false);
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
    expect(await readdir(openCachedFolder())).toEqual([]);
  });

  it('is found after an update of empty lists, which only root may do', async () => {
    await installDebian();
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    await expect(resolveDebianProgram('sample-server')).rejects.toThrow('Unable to locate package');
    vi.spyOn(process, 'getuid').mockReturnValue(0);
    expect(existsSync(await resolveDebianProgram('sample-server'))).toBe(true);
  });
});
