import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diffLines } from '../src/setup/diff-text.ts';
import { runCommand } from './run-command.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gateway-export-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runCommand(['export', ...args], { env: { HOME: home } });
const URL = 'http://127.0.0.1:8123/mcp';

describe('gateway export', () => {
  it('prints the configuration and writes nothing', async () => {
    const { code, stdout, stderr } = await run('cursor', '--url', URL, '--toolset', 'server:files');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { gateway: { url: URL, headers: { 'X-Gateway-Toolset': 'server:files' } } },
    });
    expect(stderr).toContain(
      `To add it to ${home}/.cursor/mcp.json, run the command with --write.`,
    );
    expect(existsSync(join(home, '.cursor'))).toBe(false);
  });

  it.each([
    [['--url', '127.0.0.1:9200'], 'url: It must be an http or https URL'],
    [['--url', 'http://me:pw@127.0.0.1/mcp'], 'It must not carry credentials'],
  ])('refuses %j', async (args, problem) => {
    const { code, stdout, stderr } = await run('cursor', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it('uses a program where the file of a client cannot have a URL', async () => {
    const { stdout } = await run('claude-desktop', '--url', URL, '--command', 'npx -y gw');
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { gateway: { command: 'npx', args: ['-y', 'gw', 'stdio', '--url', URL] } },
    });
  });

  it('keeps the blanks of quoted words of --command, and the backslashes of others', async () => {
    const parseWords = async (command: string): Promise<unknown> => {
      const { stdout } = await run('claude-desktop', '--url', URL, '--command', command);
      const { gateway } = (JSON.parse(stdout) as { mcpServers: Record<string, object> }).mcpServers;
      return gateway;
    };
    const args = ['stdio', '--url', URL];
    expect(await parseWords(`'/opt/My Apps/gateway' --flag`)).toEqual({
      command: '/opt/My Apps/gateway',
      args: ['--flag', ...args],
    });
    expect(await parseWords('C:\\gateway\\gateway.exe')).toEqual({
      command: 'C:\\gateway\\gateway.exe',
      args,
    });
    const open = await run('claude-desktop', '--url', URL, '--command', `'/opt/My Apps`);
    expect(open).toMatchObject({ code: 2, stdout: '' });
    expect(open.stderr).toContain('--command: the single quote is not closed');
  });

  it('uses a program with a configuration directory on demand', async () => {
    const args = ['--config-dir', home, '--toolset', 'preset:read-only', '--command', 'gateway'];
    const { stdout } = await run('codex', ...args, '--name', 'mine');
    expect(stdout).toBe(
      `[mcp_servers.mine]\ncommand = "gateway"\nargs = [ "stdio", "--config-dir", "${home}", "--toolset", "preset:read-only" ]\n`,
    );
  });

  it('names this program with absolute paths', async () => {
    const { stdout } = await run('zed', '--stdio');
    const { command, args } = (
      JSON.parse(stdout) as { context_servers: { gateway: { command: string; args: string[] } } }
    ).context_servers.gateway;
    expect(command).toBe(process.execPath);
    expect(args[0]).toMatch(/^\//);
  });

  it.each([
    [['mosaic'], "command-argument value 'mosaic' is invalid"],
    [['cursor', '--name', 'a b'], 'It must be 1 to 64 letters, digits, "-" and "_".'],
    [['windsurf', '--project', '.'], 'Windsurf has no file for a project'],
  ])('refuses %j', async (args, text) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

describe('gateway export --write', () => {
  it('creates a private file, then finds its entry', async () => {
    const first = await run('gemini', '--url', URL, '--write');
    const file = join(home, '.gemini/settings.json');
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain(`new file ${file}\n+ {\n+   "mcpServers": {\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { gateway: { httpUrl: URL } },
    });
    const second = await run('gemini', '--url', URL, '--write');
    expect(second.stdout).toBe(`${file} has this entry already\n`);
  });

  it('keeps the rest of the file, its mode, and a link to it', async () => {
    mkdirSync(join(home, '.cursor'));
    const target = join(home, 'dotfiles.json');
    const text = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n';
    writeFileSync(target, text, { mode: 0o640 });
    symlinkSync(target, join(home, '.cursor/mcp.json'));
    const { stdout } = await run('cursor', '--url', URL, '--write');
    expect(readFileSync(target, 'utf8')).toBe(
      `{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" },\n    "gateway": {\n      "url": "${URL}"\n    }\n  }\n}\n`,
    );
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(stdout).toBe(
      [
        `changed ${home}/.cursor/mcp.json`,
        '+ …,',
        '+     "gateway": {',
        `+       "url": "${URL}"`,
        '+     }\n',
      ].join('\n'),
    );
  });

  it.each([
    '{"mcpServers":{"a":{"command":"x","args":["--key","s3cret-a"],"env":{"GITHUB_TOKEN":"s3cret-b"}}}}',
    '{"mcpServers":{"gateway":{"url":"http://127.0.0.1:1/mcp"},"a":{"command":"x","args":["s3cret-c"]}}}',
    '{\n  "mcpServers": {\n    "a": { "headers": { "X": "s3cret-d" } }\n  }\n}\n',
  ])('shows nothing of another entry on the same line: %j', async (text) => {
    const file = join(home, 'mcp.json');
    writeFileSync(file, text);
    const { stdout } = await run('cursor', '--url', URL, '--file', file, '--write');
    expect(readFileSync(file, 'utf8')).toContain(URL);
    expect(readFileSync(file, 'utf8')).toContain('s3cret');
    expect(stdout).toContain(URL);
    expect(stdout).not.toContain('s3cret');
    expect(stdout).not.toContain('"a"');
  });

  it('shows no secret of the entry that it replaces', async () => {
    const file = join(home, 'mcp.json');
    writeFileSync(
      file,
      '{\n  "mcpServers": {\n    "gateway": {\n      "headers": {\n        "Authorization": "Bearer abc"\n      }\n    }\n  }\n}\n',
    );
    const { stdout } = await run('cursor', '--url', URL, '--file', file, '--write', '--replace');
    expect(stdout).toContain('-         "Authorization": "…"');
    expect(stdout).not.toContain('abc');
  });

  it.each([
    ['cursor', '{"mcpServers":{"gateway":{"command":"python3","args":["my-other-thing.py"]}}}'],
    ['cursor', '{"mcpServers":{"gateway":{"url":"https://other.example/mcp"}}}'],
    ['cursor', '{"mcpServers":{"gateway":"a text"}}'],
    ['vscode', '{"mcpServers":{},"servers":{"gateway":{"command":"x"}}}'],
    ['codex', '[mcp_servers.gateway]\ncommand = "x"\n'],
  ])('%s: replaces another server of this name with --replace only: %s', async (client, text) => {
    const file = join(home, 'client-file');
    writeFileSync(file, text);
    const args = [client, '--url', URL, '--file', file, '--write'];
    expect(await run(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'has another server with the name "gateway": use --name for another name, or --replace to replace it',
      ),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await run(...args, '--name', 'mine')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).not.toBe(text);
    writeFileSync(file, text);
    expect(await run(...args, '--replace')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain(URL);
  });

  it('replaces its own entry with other options', async () => {
    const file = join(home, 'mcp.json');
    const write = (...args: readonly string[]) => run(...args, '--file', file, '--write');
    const remote = ['cursor', '--url', 'https://gateway.example/mcp'];
    for (const args of [
      ['cursor'],
      ['cursor', '--url', URL],
      ['cursor', '--stdio'],
      ['cursor', '--url', URL, '--toolset', 'server:files'],
    ])
      expect(await write(...args)).toMatchObject({ code: 0 });
    expect(await write(...remote, '--replace')).toMatchObject({ code: 0 });
    expect(await write(...remote, '--toolset', 'server:files')).toMatchObject({ code: 0 });
  });

  it('changes nothing in a file that it cannot read', async () => {
    const file = join(home, 'mcp.json');
    for (const [bytes, reason] of [
      ['{"mcpServers": [', 'the file is not valid JSON: correct it, or add the entry by hand'],
      [Uint8Array.of(0xff, 0xfe, 0x7b, 0), 'is not text in UTF-8'],
      [new Uint8Array(10_000_001).fill(32), 'has more than 10,000,000 bytes'],
    ] as const) {
      writeFileSync(file, bytes);
      const { code, stderr } = await run('cursor', '--file', file, '--write');
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
      expect(readFileSync(file).length).toBe(bytes.length);
    }
    expect((await run('cursor', '--file', home, '--write')).stderr).toContain('not a regular file');
  });
});

describe('the difference of two texts', () => {
  const text = (before: string, after: string) =>
    diffLines(before, after)
      .map(({ mark, line }) => mark + line)
      .join('|');

  it('is minimal', () => {
    expect(text('a\nb\nc\nd\n', 'a\nc\nx\nd\n')).toBe(' a|-b| c|+x| d');
    expect(text('', 'a\n')).toBe('+a');
    expect(text('a', '')).toBe('-a');
    expect(text('a\na\n', 'a\n')).toBe(' a|-a');
  });

  it('of long texts is shown as removed and added', () => {
    const lines = (word: string) =>
      Array.from({ length: 3_000 }, (_, at) => `${word}${String(at)}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(6_000);
  });
});
