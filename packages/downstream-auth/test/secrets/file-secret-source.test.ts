import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileSecretSource } from '../../src/secrets/secret-files.ts';

const SECRET = 'secrets/remote/client-secret';
type Content = string | Uint8Array;

/** A configuration directory with these files. */
const directoryWith = async (
  files: Readonly<Record<string, Content>>,
  mode = 0o600,
): Promise<string> => {
  const { path: directory, remove } = createTestConfigDirectory();
  onTestFinished(() => remove());
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, content);
    await chmod(file, mode);
  }
  return directory;
};

const read = (directory: string, key = 'client-secret', name = 'remote') =>
  createFileSecretSource({ directory }).read({ name, key });

const reasonOf = async (...args: Parameters<typeof read>): Promise<string> => {
  const outcome = await read(...args);
  return outcome.ok ? 'it was read' : outcome.reason;
};

describe('a Secret in file mode', () => {
  it.each([
    ['is the content of secrets/<name>/<key>', 'a+b%c d', 0o600, 'a+b%c d'],
    ['ends before the line end that an editor adds', 'abc\r\n', 0o600, 'abc'],
    ['may have mode 0400', 'abc', 0o400, 'abc'],
  ])('%s', async (_what, content, mode, value) => {
    const directory = await directoryWith({ [SECRET]: content }, mode);
    expect(await read(directory)).toEqual({ ok: true, value });
  });

  it('has the same value in every namespace', async () => {
    const directory = await directoryWith({ [SECRET]: 'abc' });
    const reference = { name: 'remote', namespace: 'team-a', key: 'client-secret' };
    const outcome = await createFileSecretSource({ directory }).read(reference);
    expect(outcome).toEqual({ ok: true, value: 'abc' });
  });

  it.each([
    [0o644, '0644'],
    [0o640, '0640'],
    [0o604, '0604'],
    [0o700, '0700'],
  ])('is refused with mode %o', async (mode, shown) => {
    expect(await reasonOf(await directoryWith({ [SECRET]: 'abc' }, mode))).toBe(
      `the file ${SECRET} has mode ${shown}: set it to 0600`,
    );
  });

  it('is read again when it changed', async () => {
    const directory = await directoryWith({ [SECRET]: 'first' });
    const source = createFileSecretSource({ directory });
    const ref = { name: 'remote', key: 'client-secret' };
    expect(await source.read(ref)).toEqual({ ok: true, value: 'first' });
    await writeFile(join(directory, 'next'), 'other', { mode: 0o600 });
    await rename(join(directory, 'next'), join(directory, SECRET));
    expect(await source.read(ref)).toEqual({ ok: true, value: 'other' });
  });

  it('of 64 KiB is accepted', async () => {
    const directory = await directoryWith({ [SECRET]: 'a'.repeat(65_536) });
    expect((await read(directory)).ok).toBe(true);
  });

  it.each<[string, Readonly<Record<string, Content>>, string]>([
    ['does not exist', {}, 'does not exist: create it with mode 0600'],
    ['is larger', { [SECRET]: 'a'.repeat(65_537) }, 'has more than 65536 bytes'],
    ['is empty', { [SECRET]: '\n' }, 'is empty'],
    ['has several lines', { [SECRET]: 'one\ntwo\n' }, 'is not one line of text in UTF-8'],
    ['is not UTF-8', { [SECRET]: Uint8Array.of(0xc3, 0x28) }, 'is not one line of text in UTF-8'],
  ])('is refused when it %s', async (_what, files, problem) => {
    expect(await reasonOf(await directoryWith(files))).toBe(`the file ${SECRET} ${problem}`);
  });
});

describe('the path of a Secret', () => {
  it('may lead through links inside the folder, as in volumes of Kubernetes', async () => {
    const directory = await directoryWith({ 'secrets/remote/..2026/client-secret': 'abc' });
    await symlink('..2026', join(directory, 'secrets/remote/..data'));
    await symlink('..data/client-secret', join(directory, 'secrets/remote/client-secret'));
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it('may begin with a link to the folder of all Secrets, as in a volume of the whole configuration', async () => {
    const directory = await directoryWith({ '..2026/secrets/remote/client-secret': 'abc' });
    await symlink('..2026', join(directory, '..data'));
    await symlink('..data/secrets', join(directory, 'secrets'));
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it('must not leave the folder through a link to a file', async () => {
    const directory = await directoryWith({
      'secrets/other/client-secret': 'of another server',
      'secrets/remote/client-id': 'gateway',
    });
    await symlink('../other/client-secret', join(directory, 'secrets/remote/client-secret'));
    expect(await reasonOf(directory)).toBe(
      'the file secrets/remote/client-secret is a link that leaves the directory of its Secret: replace it with a regular file',
    );
  });

  it('must not leave the folder through a link to a folder', async () => {
    const directory = await directoryWith({
      'secrets/other/client-secret': 'of another server',
      'elsewhere/client-secret': 'elsewhere',
    });
    await symlink('../elsewhere', join(directory, 'secrets/remote'));
    expect(await reasonOf(directory)).toMatch(/^the file secrets\/remote\/client-secret is a link/);
  });

  it.each(['..', '.', '', '../x', 'a/b', 'a\\b', 'a\0b', 'ä', 'a'.repeat(254)])(
    'has no part %j',
    async (part) => {
      const directory = await directoryWith({ 'secrets/remote/client-id': 'x' });
      expect(await reasonOf(directory, part)).toMatch(/^the key ".*" of a Secret is not valid: /);
      expect(await reasonOf(directory, 'client-id', part)).toMatch(
        /^the name ".*" of a Secret is not valid: /,
      );
    },
  );

  it('leads to a regular file only', async () => {
    const directory = await directoryWith({ 'secrets/remote/client-id': 'x' });
    await mkdir(join(directory, 'secrets/remote/folder'), { mode: 0o600 });
    execFileSync('mkfifo', ['-m', '600', join(directory, 'secrets/remote/pipe')]);
    expect(await reasonOf(directory, 'folder')).toBe('secrets/remote/folder is not a regular file');
    expect(await reasonOf(directory, 'pipe')).toBe('secrets/remote/pipe is not a regular file');
  });
});
