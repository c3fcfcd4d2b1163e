import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure, runCommand } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const root = useDirectory();

describe('gateway init', () => {
  it('creates a directory that is valid, and no other file later', async () => {
    const directory = root.resolve('new/place');
    expect(await runCommand(['init', directory])).toMatchObject({ code: 0 });
    expect(root.list('new/place')).toEqual(['.gitignore', 'config.yaml', 'mcpservers']);
    expect(root.read('new/place/.gitignore')).toMatch(/^state\/$/mu);
    const checked = await runCommand(['validate', '--config-dir', directory]);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/1 server, 0 workflows\nno problems\n$/u);
    const again = await runCommand(['init', directory]);
    expect(again).toMatchObject({ ...failure('is a configuration directory already'), stdout: '' });
  });

  it('names the next steps with the whole path, so that they work before and after a change into the directory', async () => {
    const path = root.resolve('my place');
    const { stderr } = await runCommand(['init', relative(process.cwd(), path)]);
    expect(stderr).toBe(`Next steps, from any directory:
  gateway servers add NAME --config-dir '${path}' -- COMMAND ARGUMENTS
  gateway import --config-dir '${path}'
  gateway serve --config-dir '${path}'
  gateway export CLIENT
`);
    const plain = root.resolve('my-place');
    const { stderr: unquoted } = await runCommand(['init', plain]);
    expect(unquoted).toContain(`  gateway serve --config-dir ${plain}\n`);
  });

  it.each([
    ['', 'the directory is an empty text: name one, or none'],
    ['file', 'file is not a directory, or a part of its path is a file'],
    ['file/below', 'file/below is not a directory, or a part of its path is a file'],
    ['directory', 'directory is not a directory, or a part of its path is a file'],
  ])('refuses a place that cannot be one: %j', async (name, reason) => {
    root.write('file', 'mine');
    root.write('directory/mcpservers', 'mine');
    const run = await runCommand(['init', name === '' ? '' : root.resolve(name)]);
    expect(run).toMatchObject(failure(reason));
    expect(run.stderr).not.toMatch(/mkdir|E[A-Z]{3,}/u);
  });
});
