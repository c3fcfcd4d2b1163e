import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from './run-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-several-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const loadServers = (verb: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, 'a', '--config-dir', root, ...args]);

const specOfA = (): unknown =>
  (parse(readFileSync(join(root, 'mcpservers/a.yaml'), 'utf8')) as { spec: unknown }).spec;

describe('commands that run at the same time', () => {
  it('keep the change of each other', async () => {
    await loadServers('add', '--', 'x');
    const names = ['A', 'B', 'C', 'D'];
    const runs = await Promise.all(names.map((name) => loadServers('edit', '--env', `${name}=1`)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(specOfA()).toMatchObject({ env: { A: '1', B: '1', C: '1', D: '1' } });
  });

  it('add one server, and the other command says why it did not', async () => {
    const programs = ['one', 'two', 'three'];
    const runs = await Promise.all(programs.map((program) => loadServers('add', '--', program)));
    const added = programs.filter((_, at) => runs[at]?.code === 0);
    expect(added).toHaveLength(1);
    expect(specOfA()).toMatchObject({ command: added[0] });
    for (const { stdout, stderr } of runs.filter(({ code }) => code !== 0)) {
      expect(stdout).toBe('');
      expect(stderr).toMatch(
        /^gateway: (?:mcpservers\/a\.yaml exists already: change it with gateway servers edit a|a: its file was created by another program meanwhile: try again)\n$/u,
      );
    }
  });
});

it('a file that cannot be written is named, and not a temporary one', async () => {
  writeFileSync(join(root, 'file'), '');
  const path = join(root, 'file/mcp.json');
  expect(await runCommand(['export', 'cursor', '--file', path, '--write'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `gateway: ${path} cannot be written: its directory is not a directory\n`,
  });
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('');
});
