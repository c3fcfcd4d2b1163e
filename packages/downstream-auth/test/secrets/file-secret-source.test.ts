import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileSecretSource } from '../../src/secrets/secret-files.ts';

interface File {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

const directories: ConfigDirectory[] = [];
afterAll(() => directories.forEach(({ remove }) => remove()));

const directoryWith = async (...files: readonly File[]): Promise<string> => {
  const made = createTestConfigDirectory();
  directories.push(made);
  const directory = made.path;
  for (const { path, content, mode = 0o600 } of files) {
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
  it('is the content of secrets/<name>/<key>', async () => {
    const directory = await directoryWith({
      path: 'secrets/remote/client-secret',
      content: 'a+b%c d',
    });
    expect(await read(directory)).toEqual({ ok: true, value: 'a+b%c d' });
  });

  it('has the same value in every namespace', async () => {
    const directory = await directoryWith({ path: 'secrets/remote/client-id', content: 'gateway' });
    const source = createFileSecretSource({ directory });
    expect(await source.read({ name: 'remote', namespace: 'team-a', key: 'client-id' })).toEqual({
      ok: true,
      value: 'gateway',
    });
  });

  it('ends before the line end that an editor adds', async () => {
    const directory = await directoryWith({
      path: 'secrets/remote/client-secret',
      content: 'abc\r\n',
    });
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it('may have mode 0400', async () => {
    const directory = await directoryWith({
      path: 'secrets/remote/client-secret',
      content: 'abc',
      mode: 0o400,
    });
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it.each([
    [0o644, '0644'],
    [0o640, '0640'],
    [0o604, '0604'],
    [0o700, '0700'],
  ])('is refused with mode %o', async (mode, shown) => {
    const directory = await directoryWith({
      path: 'secrets/remote/client-secret',
      content: 'abc',
      mode,
    });
    expect(await reasonOf(directory)).toBe(
      `the file secrets/remote/client-secret has mode ${shown}: set it to 0600`,
    );
  });

  it('is read again when it changed', async () => {
    const directory = await directoryWith({
      path: 'secrets/remote/client-secret',
      content: 'first',
    });
    const source = createFileSecretSource({ directory });
    const ref = { name: 'remote', key: 'client-secret' };
    expect(await source.read(ref)).toEqual({ ok: true, value: 'first' });
    await writeFile(join(directory, 'next'), 'other', { mode: 0o600 });
    await rename(join(directory, 'next'), join(directory, 'secrets/remote/client-secret'));
    expect(await source.read(ref)).toEqual({ ok: true, value: 'other' });
  });

  it('is refused by name when it does not exist', async () => {
    const directory = await directoryWith();
    expect(await reasonOf(directory)).toBe(
      'the file secrets/remote/client-secret does not exist: create it with mode 0600',
    );
  });

  it('is refused when it is larger than 64 KiB, and accepted up to that size', async () => {
    const directory = await directoryWith(
      { path: 'secrets/remote/large', content: 'a'.repeat(65_537) },
      { path: 'secrets/remote/largest', content: 'a'.repeat(65_536) },
    );
    expect(await reasonOf(directory, 'large')).toBe(
      'the file secrets/remote/large has more than 65536 bytes',
    );
    expect((await read(directory, 'largest')).ok).toBe(true);
  });

  it('is refused when it is empty, has several lines, or is not UTF-8', async () => {
    const directory = await directoryWith(
      { path: 'secrets/remote/empty', content: '\n' },
      { path: 'secrets/remote/lines', content: 'one\ntwo\n' },
      { path: 'secrets/remote/bytes', content: Uint8Array.of(0xc3, 0x28) },
    );
    expect(await reasonOf(directory, 'empty')).toBe('the file secrets/remote/empty is empty');
    expect(await reasonOf(directory, 'lines')).toBe(
      'the file secrets/remote/lines is not one line of text in UTF-8',
    );
    expect(await reasonOf(directory, 'bytes')).toBe(
      'the file secrets/remote/bytes is not one line of text in UTF-8',
    );
  });
});

describe('the path of a Secret', () => {
  it('may lead through links inside the folder, as in volumes of Kubernetes', async () => {
    const directory = await directoryWith({
      path: 'secrets/remote/..2026/client-secret',
      content: 'abc',
    });
    await symlink('..2026', join(directory, 'secrets/remote/..data'));
    await symlink('..data/client-secret', join(directory, 'secrets/remote/client-secret'));
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it('may begin with a link to the folder of all Secrets, as in a volume of the whole configuration', async () => {
    const directory = await directoryWith({
      path: '..2026/secrets/remote/client-secret',
      content: 'abc',
    });
    await symlink('..2026', join(directory, '..data'));
    await symlink('..data/secrets', join(directory, 'secrets'));
    expect(await read(directory)).toEqual({ ok: true, value: 'abc' });
  });

  it('must not leave the folder through a link to a file', async () => {
    const directory = await directoryWith(
      { path: 'secrets/other/client-secret', content: 'of another server' },
      { path: 'secrets/remote/client-id', content: 'gateway' },
    );
    await symlink('../other/client-secret', join(directory, 'secrets/remote/client-secret'));
    expect(await reasonOf(directory)).toBe(
      'the file secrets/remote/client-secret is a link that leaves the directory of its Secret: replace it with a regular file',
    );
  });

  it('must not leave the folder through a link to a folder', async () => {
    const directory = await directoryWith(
      { path: 'secrets/other/client-secret', content: 'of another server' },
      { path: 'elsewhere/client-secret', content: 'elsewhere' },
    );
    await symlink('../elsewhere', join(directory, 'secrets/remote'));
    expect(await reasonOf(directory)).toMatch(/^the file secrets\/remote\/client-secret is a link/);
  });

  it.each(['..', '.', '', '../x', 'a/b', 'a\\b', 'a\0b', 'ä', 'a'.repeat(254)])(
    'has no part %j',
    async (part) => {
      const directory = await directoryWith({ path: 'secrets/remote/client-id', content: 'x' });
      expect(await reasonOf(directory, part)).toMatch(/^the key ".*" of a Secret is not valid: /);
      expect(await reasonOf(directory, 'client-id', part)).toMatch(
        /^the name ".*" of a Secret is not valid: /,
      );
    },
  );

  it('leads to a regular file only', async () => {
    const directory = await directoryWith({ path: 'secrets/remote/client-id', content: 'x' });
    await mkdir(join(directory, 'secrets/remote/folder'), { mode: 0o600 });
    execFileSync('mkfifo', ['-m', '600', join(directory, 'secrets/remote/pipe')]);
    expect(await reasonOf(directory, 'folder')).toBe('secrets/remote/folder is not a regular file');
    expect(await reasonOf(directory, 'pipe')).toBe('secrets/remote/pipe is not a regular file');
  });
});
