import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { resolveGatewayProgram } from '../src/actions/export-config.ts';
import { diffLines } from '../src/setup/diff-text.ts';
import { failure, runCommand, success } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const home = useDirectory();

const run = (...args: readonly string[]) =>
  runCommand(['export', ...args], { env: { HOME: home.path } });
const URL = 'http://127.0.0.1:8123/mcp';

describe('gateway export', () => {
  it('prints the configuration and writes nothing', async () => {
    const { code, stdout, stderr } = await run('cursor', '--url', URL, '--toolset', 'server:files');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { gateway: { url: URL, headers: { 'X-Gateway-Toolset': 'server:files' } } },
    });
    expect(stderr).toContain(
      `To add it to ${home.path}/.cursor/mcp.json, run the command with --write.`,
    );
    expect(home.has('.cursor')).toBe(false);
  });

  it.each([
    ['npx -y gw', 'npx', ['-y', 'gw']],
    [`'/opt/My Apps/gateway' --flag`, '/opt/My Apps/gateway', ['--flag']],
    ['C:\\gateway\\gateway.exe', 'C:\\gateway\\gateway.exe', []],
  ])(
    'uses a program where the file of a client cannot have a URL, with the blanks of its quoted words: %s',
    async (text, command, args) => {
      const { stdout } = await run('claude-desktop', '--url', URL, '--command', text);
      const gateway = { command, args: [...args, 'stdio', '--url', URL] };
      expect(JSON.parse(stdout)).toEqual({ mcpServers: { gateway } });
    },
  );

  it('uses a program with a configuration directory on demand', async () => {
    const { path } = home;
    const args = ['--config-dir', path, '--toolset', 'preset:read-only', '--command', 'gateway'];
    const { stdout } = await run('codex', ...args, '--name', 'mine');
    expect(stdout).toBe(
      `[mcp_servers.mine]\ncommand = "gateway"\nargs = [ "stdio", "--config-dir", "${path}", "--toolset", "preset:read-only" ]\n`,
    );
  });

  it('names this program with absolute paths', async () => {
    const { stdout } = await run('zed', '--stdio');
    const args = expect.arrayContaining([expect.stringMatching(/^\//u)]) as unknown;
    const gateway = { command: process.execPath, args };
    expect(JSON.parse(stdout)).toMatchObject({ context_servers: { gateway } });
  });

  const OPEN_QUOTE = '--command: the single quote is not closed';
  it.each([
    [['mosaic'], "command-argument value 'mosaic' is invalid"],
    [['cursor', '--name', 'a b'], 'It must be 1 to 64 letters, digits, "-" and "_".'],
    [['cursor', '--url', '127.0.0.1:9200'], 'url: It must be an http or https URL'],
    [['cursor', '--url', 'http://me:pw@127.0.0.1/mcp'], 'It must not carry credentials'],
    [['claude-desktop', '--url', URL, '--command', "'/opt/My Apps"], OPEN_QUOTE],
  ])('refuses %j', async (args, text) => {
    expect(await run(...args)).toMatchObject({ ...failure(text), stdout: '' });
  });

  it('refuses a project for a client that has no file for one', async () => {
    const refused = await run('windsurf', '--project', '.');
    expect(refused).toMatchObject(failure('Windsurf has no file for a project'));
  });
});

describe('gateway export --write', () => {
  const FILE = 'client-file';
  const exportToFile = (client: string, ...args: readonly string[]) =>
    run(client, '--file', home.resolve(FILE), '--write', ...args);

  it('creates a private file, then finds its entry', async () => {
    const write = () => run('gemini', '--url', URL, '--write');
    const file = home.resolve('.gemini/settings.json');
    expect(await write()).toMatchObject(success(`new file ${file}\n+ {\n+   "mcpServers": {\n`));
    expect(home.mode('.gemini/settings.json')).toBe(0o600);
    expect(JSON.parse(home.read('.gemini/settings.json'))).toEqual({
      mcpServers: { gateway: { httpUrl: URL } },
    });
    expect((await write()).stdout).toBe(`${file} has this entry already\n`);
  });

  it('keeps the rest of the file, its mode, and a link to it', async () => {
    const text = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n';
    const target = home.write('dotfiles.json', text);
    chmodSync(target, 0o640);
    home.link('.cursor/mcp.json', target);
    const { stdout } = await run('cursor', '--url', URL, '--write');
    expect(home.read('dotfiles.json')).toBe(
      `{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" },\n    "gateway": {\n      "url": "${URL}"\n    }\n  }\n}\n`,
    );
    expect(home.mode('dotfiles.json')).toBe(0o640);
    expect(stdout).toBe(
      `changed ${home.path}/.cursor/mcp.json\n+ …,\n+     "gateway": {\n+       "url": "${URL}"\n+     }\n`,
    );
  });

  it.each([
    '{"mcpServers":{"a":{"command":"x","args":["--key","s3cret-a"],"env":{"GITHUB_TOKEN":"s3cret-b"}}}}',
    '{"mcpServers":{"gateway":{"url":"http://127.0.0.1:1/mcp"},"a":{"command":"x","args":["s3cret-c"]}}}',
    '{\n  "mcpServers": {\n    "a": { "headers": { "X": "s3cret-d" } }\n  }\n}\n',
  ])('shows nothing of another entry on the same line: %j', async (text) => {
    home.write(FILE, text);
    const { stdout } = await exportToFile('cursor', '--url', URL);
    expect(home.read(FILE)).toContain(URL);
    expect(home.read(FILE)).toContain('s3cret');
    expect(stdout).toContain(URL);
    expect(stdout).not.toMatch(/s3cret|"a"/u);
  });

  it('shows no secret of the entry that it replaces', async () => {
    const gateway = { headers: { Authorization: 'Bearer abc' } };
    home.write(FILE, JSON.stringify({ mcpServers: { gateway } }, null, 2));
    const { stdout } = await exportToFile('cursor', '--url', URL, '--replace');
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
    home.write(FILE, text);
    const refusal =
      'has another server with the name "gateway": use --name for another name, or --replace to replace it';
    const refused = await exportToFile(client, '--url', URL);
    expect(refused).toMatchObject({ ...failure(refusal), stdout: '' });
    expect(home.read(FILE)).toBe(text);
    expect(await exportToFile(client, '--url', URL, '--name', 'mine')).toMatchObject({ code: 0 });
    expect(home.read(FILE)).not.toBe(text);
    home.write(FILE, text);
    expect(await exportToFile(client, '--url', URL, '--replace')).toMatchObject({ code: 0 });
    expect(home.read(FILE)).toContain(URL);
  });

  it('replaces its own entry with other options', async () => {
    const remote = ['--url', 'https://gateway.example/mcp'];
    const toolset = ['--toolset', 'server:files'];
    const entries = [[], ['--url', URL], ['--stdio'], ['--url', URL, ...toolset]];
    for (const args of [...entries, [...remote, '--replace'], [...remote, ...toolset]])
      expect(await exportToFile('cursor', ...args)).toMatchObject({ code: 0 });
  });

  it.each([
    ['{"mcpServers": [', 'the file is not valid JSON: correct it, or add the entry by hand'],
    [Uint8Array.of(0xff, 0xfe, 0x7b, 0), 'is not text in UTF-8'],
    [new Uint8Array(10_000_001).fill(32), 'has more than 10,000,000 bytes'],
    [undefined, 'not a regular file'],
  ])('changes nothing in a file that it cannot read', async (bytes, reason) => {
    const file = home.resolve(FILE);
    if (bytes === undefined) mkdirSync(file);
    else writeFileSync(file, bytes);
    expect(await exportToFile('cursor')).toMatchObject(failure(reason, 1));
    if (bytes !== undefined) expect(readFileSync(file).equals(Buffer.from(bytes))).toBe(true);
  });

  it('names a file that it cannot write, and not a temporary one', async () => {
    home.write(FILE, '');
    const path = home.resolve(`${FILE}/mcp.json`);
    const stderr = `gateway: ${path} cannot be written: its directory is not a directory\n`;
    const refused = await run('cursor', '--file', path, '--write');
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
    expect(home.read(FILE)).toBe('');
  });
});

it.each([
  ['a\nb\nc\nd\n', 'a\nc\nx\nd\n', ' a|-b| c|+x| d'],
  ['', 'a\n', '+a'],
  ['a', '', '-a'],
  ['a\na\n', 'a\n', ' a|-a'],
])('the difference of %j and %j is minimal', (before, after, difference) => {
  const lines = diffLines(before, after).map(({ mark, line }) => mark + line);
  expect(lines.join('|')).toBe(difference);
});

it('the difference of long texts is shown as removed and added', () => {
  const lines = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word}${String(at)}`).join('\n');
  expect(diffLines(lines('a'), lines('b'))).toHaveLength(6_000);
});

describe('the program that clients start', () => {
  const [, script = ''] = process.argv;
  afterEach(() => {
    process.argv[1] = script;
  });

  const PACKAGE_URL = 'https://packages.example.com/gateway.tgz';
  it.each([
    ['{"dependencies":{"@gateway/gateway":"file:../../gateway-5.13.0.tgz"}}', 'gateway-5.13.0.tgz'],
    ['{"dependencies":{"@gateway/gateway":"file:/opt/gateway.tgz"}}', '/opt/gateway.tgz'],
    [`{"dependencies":{"@gateway/gateway":"${PACKAGE_URL}"}}`, PACKAGE_URL],
    ['{"dependencies":{"@gateway/gateway":"^5.13.0"}}', undefined],
    ['{"dependencies":{"@gateway/gateway":5}}', undefined],
    ['{"dependencies":null}', undefined],
    ['null', undefined],
    ['{', undefined],
  ])(
    'is the package from which npx has this one, else that of the registry: %s',
    (manifest, source) => {
      home.write('_npx/1a2b3c/package.json', manifest);
      process.argv[1] = home.resolve('_npx/1a2b3c/node_modules/.bin/gateway');
      const path = source === 'gateway-5.13.0.tgz' ? home.resolve(source) : source;
      expect(resolveGatewayProgram()).toEqual({
        command: 'npx',
        args:
          path === undefined ? ['-y', '@gateway/gateway'] : ['-y', '--package', path, 'gateway'],
      });
    },
  );

  it('is its script where npx has not started it', () => {
    process.argv[1] = '/opt/gateway/dist/cli.js';
    expect(resolveGatewayProgram()).toEqual({
      command: process.execPath,
      args: ['/opt/gateway/dist/cli.js'],
    });
  });
});
