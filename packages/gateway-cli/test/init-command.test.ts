import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-init-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('gateway init', () => {
  it('creates a directory that is valid, and no other file later', async () => {
    const directory = join(root, 'new/place');
    const first = await runCommand(['init', directory]);
    expect(first).toMatchObject({ code: 0 });
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'config.yaml', 'mcpservers']);
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toMatch(/^state\/$/mu);
    const checked = await runCommand(['validate', '--config-dir', directory]);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/1 server, 0 workflows\nno problems\n$/u);
    const again = await runCommand(['init', directory]);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('is a configuration directory already');
  });
});

describe('the next steps of gateway init', () => {
  it('name the whole path, so that they work before and after a change into the directory', async () => {
    const path = join(root, 'my place');
    const { stderr } = await runCommand(['init', relative(process.cwd(), path)]);
    expect(stderr).toBe(`Next steps, from any directory:
  gateway servers add NAME --config-dir '${path}' -- COMMAND ARGUMENTS
  gateway import --config-dir '${path}'
  gateway serve --config-dir '${path}'
  gateway export CLIENT
`);
  });

  it('quote no path without special characters', async () => {
    const { stderr } = await runCommand(['init', join(root, 'my-place')]);
    expect(stderr).toContain(`  gateway serve --config-dir ${join(root, 'my-place')}\n`);
  });
});

describe('gateway init of a place that cannot be one', () => {
  it.each([
    ['', 'the directory is an empty text: name one, or none'],
    ['file', 'file is not a directory, or a part of its path is a file'],
    ['file/below', 'file/below is not a directory, or a part of its path is a file'],
    ['directory', 'directory is not a directory, or a part of its path is a file'],
  ])('refuses %j', async (name, reason) => {
    writeFileSync(join(root, 'file'), 'mine');
    mkdirSync(join(root, 'directory'));
    writeFileSync(join(root, 'directory/mcpservers'), 'mine');
    const { code, stderr } = await runCommand(['init', name === '' ? '' : join(root, name)]);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/mkdir|E[A-Z]{3,}/u);
  });
});
