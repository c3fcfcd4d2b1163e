import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildGoProgram, PeerMissing } from '../src/programs.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'go-'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('PATH', join(folder, 'bin'));
  await mkdir(join(folder, 'module'));
  await writeFile(join(folder, 'module/go.mod'), 'module one\n');
  await writeFile(join(folder, 'module/go.sum'), '');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const program = (linkFlags: readonly string[] = []) => ({
  name: 'one',
  module: join(folder, 'module'),
  target: '.',
  linkFlags,
});

/** Installs a `go` that appends its arguments to a file and writes the program. */
const installGo = async (): Promise<void> => {
  await mkdir(join(folder, 'bin'));
  const script = `#!/bin/sh
for last; do previous="$out"; [ "$flag" = -o ] && out="$last"; flag="$last"; done
echo "$CGO_ENABLED $*" >> ${folder}/builds
echo built > "$out"
`;
  await writeFile(join(folder, 'bin/go'), script, { mode: 0o755 });
};

const builds = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'builds'), 'utf8')).trim().split('\n');

describe('a program of a Go module', () => {
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
    await mkdir(join(folder, 'bin'));
    const script = '#!/bin/sh\necho one >&2\necho "no module" >&2\nexit 1\n';
    await writeFile(join(folder, 'bin/go'), script, { mode: 0o755 });
    await expect(buildGoProgram(program())).rejects.toThrow(/failed: no module$/);
  });
});
