import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RotatingLines } from '../../src/index.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const execute = promisify(execFile);
const SOURCE = new URL('../../src/line-files.ts', import.meta.url).href;
const LIMITS = { maxBytes: 20, maxFiles: 3 };

const linesIn = async (limits = LIMITS) => {
  const { directory, at } = await temporaryDirectory();
  const lines = new RotatingLines(at('audit.log'), limits);
  onTestFinished(() => lines.close());
  const read = (file = 'audit.log') => readFile(at(file), 'utf8');
  return { directory, at, lines, read };
};

describe('a full file', () => {
  it('is renamed, and the oldest is deleted', async () => {
    const { directory, lines, read } = await linesIn();
    for (const line of ['one-one-1\n', 'two-two-2\n', 'three-thr\n', 'four-four\n', 'five-five\n'])
      await lines.append(line);
    expect(await read()).toBe('five-five\n');
    expect(await read('audit.log.1')).toBe('three-thr\nfour-four\n');
    expect(await read('audit.log.2')).toBe('one-one-1\ntwo-two-2\n');
    await lines.append('six-six-6\n');
    await lines.append('seven-sev\n');
    expect((await readdir(directory)).sort()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2']);
    expect(await read('audit.log.2')).toBe('three-thr\nfour-four\n');
  });

  it('is deleted when it is the only one', async () => {
    const { directory, lines, read } = await linesIn({ maxBytes: 10, maxFiles: 1 });
    await lines.append('one-one-1\n');
    await lines.append('two-two-2\n');
    expect(await readdir(directory)).toEqual(['audit.log']);
    expect(await read()).toBe('two-two-2\n');
  });

  it('has at least one append, however large', async () => {
    const { at, lines } = await linesIn();
    await lines.append(`${'x'.repeat(100)}\n`);
    await lines.append('next\n');
    expect((await stat(at('audit.log.1'))).size).toBe(101);
  });

  it('of an earlier process is continued', async () => {
    const { at, lines, read } = await linesIn();
    await writeFile(at('audit.log'), 'from before\n');
    await lines.append('now-now-9\n');
    expect(await read('audit.log.1')).toBe('from before\n');
  });
});

describe('a file', () => {
  it('is readable by its owner only, in a directory that is created', async () => {
    const { at } = await linesIn();
    const lines = new RotatingLines(at('deep/audit.log'), LIMITS);
    onTestFinished(() => lines.close());
    await lines.append('a\n');
    expect((await stat(at('deep/audit.log'))).mode & 0o777).toBe(0o600);
    expect((await stat(at('deep'))).mode & 0o777).toBe(0o700);
  });

  it('that another program renamed or deleted is created again, with its directory', async () => {
    const { directory, at, lines, read } = await linesIn();
    await lines.append('a\n');
    await rename(at('audit.log'), at('audit.log-20260101'));
    await lines.append('b\n');
    expect(await read()).toBe('b\n');
    expect(await read('audit.log-20260101')).toBe('a\n');
    await rm(directory, { recursive: true });
    await lines.append('c\n');
    expect(await read()).toBe('c\n');
  });

  it('that ends in the middle of a line gets a new line', async () => {
    const { at, lines, read } = await linesIn();
    await writeFile(at('audit.log'), 'torn');
    await lines.append('a\n');
    expect(await read()).toBe('torn\na\n');
  });

  it('rejects while a directory or a link is in its place, and works afterwards', async () => {
    const { at, lines, read } = await linesIn();
    await mkdir(at('audit.log'));
    await expect(lines.append('a\n')).rejects.toThrow('EISDIR');
    await rm(at('audit.log'), { recursive: true });
    await symlink(at('elsewhere'), at('audit.log'));
    await expect(lines.append('a\n')).rejects.toThrow('ELOOP');
    await rm(at('audit.log'));
    await lines.append('a\n');
    expect(await read()).toBe('a\n');
  });

  it('has no part of an append that failed', async () => {
    const { at, read } = await linesIn();
    // The process may write files of 512 or 1,024 bytes, by the shell: the second append is cut in its middle.
    const script = `
      import { RotatingLines } from ${JSON.stringify(SOURCE)};
      const lines = new RotatingLines(process.argv[1], { maxBytes: 100000, maxFiles: 2 });
      await lines.append('a'.repeat(299) + '\\n');
      await lines.append('b'.repeat(899) + '\\n').catch((error) => process.stdout.write(error.code));
      await lines.append('c\\n');`;
    const node = [process.execPath, '--input-type=module', '--eval', script, at('audit.log')];
    const { stdout } = await execute('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', ...node]);
    expect(stdout).toBe('EFBIG');
    expect(await read()).toBe(`${'a'.repeat(299)}\nc\n`);
  });
});
