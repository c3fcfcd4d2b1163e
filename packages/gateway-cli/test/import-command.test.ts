import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, runCommand, success } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const TOKEN = `ghp_${'x'.repeat(36)}`;

const root = useDirectory();
const { write } = root;
const config = (path = ''): string => root.resolve(`config/${path}`);
const read = (path: string): string => root.read(`config/${path}`);
beforeEach(() => {
  root.mkdir('config/');
});

const runImport = (...args: readonly string[]) => {
  const options = ['--config-dir', config(), '--project', root.resolve('work')];
  return runCommand(['import', ...args, ...options], { env: { HOME: root.path } });
};
/** Imports these servers from a file, and writes what it imports. */
const importServers = (mcpServers: object, ...args: readonly string[]) =>
  runImport(write('any.json', { mcpServers }), '--write', ...args);

const GIT = {
  'Git Hub': {
    command: 'npx',
    args: ['-y', 'git-server'],
    env: { GITHUB_TOKEN: TOKEN, LEVEL: 'debug', USER_NAME: '${USER}' },
  },
};
const GIT_FILE = 'mcpservers/git-hub.yaml';
const GIT_SECRET = 'secrets/git-hub/GITHUB_TOKEN';
const FOUND = 'git-hub: the directory has it already\n0 servers imported\n';

describe('gateway import', () => {
  it('shows what it would write, without secrets, and writes nothing', async () => {
    expect(await runImport(write('any.json', { mcpServers: GIT }))).toEqual({
      code: 0,
      stdout: `new file secrets/git-hub/GITHUB_TOKEN
+ 40 bytes, not shown
new file mcpservers/git-hub.yaml
+ apiVersion: gateway.internal/v1alpha1
+ kind: MCPServer
+ metadata:
+   name: git-hub
+ spec:
+   type: stdio
+   command: npx
+   autoStart: false
+   args:
+     - -y
+     - git-server
+   env:
+     LEVEL: debug
+     USER_NAME: \${env:USER}
+   envFrom:
+     - name: GITHUB_TOKEN
+       secretKeyRef:
+         name: git-hub
+         key: GITHUB_TOKEN
1 server to import
`,
      stderr: `git-hub: The file names it "Git Hub"; names of servers have small letters, digits and hyphens.
git-hub: The gateway needs the environment variable "USER".
Nothing is written: run the command again with --write.
`,
    });
    expect(root.list('config')).toEqual([]);
  });

  it('writes servers and private secrets, then finds them', async () => {
    const first = await importServers(GIT);
    expect(first).toMatchObject(success('1 server imported\n'));
    expect(first.stdout + first.stderr + read(GIT_FILE)).not.toContain(TOKEN);
    expect(read(GIT_SECRET)).toBe(TOKEN);
    const modes = [GIT_SECRET, 'secrets/git-hub'].map((path) => root.mode(`config/${path}`));
    expect(modes).toEqual([0o600, 0o700]);
    expect(await runCommand(['validate', '--config-dir', config()])).toMatchObject({ code: 0 });
    expect((await importServers(GIT)).stdout).toBe(FOUND);
  });

  it('does not start a server that somebody else wrote, unless it is told to', async () => {
    const hint = 'It does not start yet: read it, then set spec.autoStart to true';
    expect((await importServers(GIT)).stderr).toContain(hint);
    const started = read(GIT_FILE).replace('autoStart: false', 'autoStart: true');
    write(`config/${GIT_FILE}`, started);
    expect((await importServers(GIT)).stdout).toBe(FOUND);
    expect(await importServers(GIT, '--rename', 'git-hub=b', '--start')).toMatchObject({ code: 0 });
    expect(read('mcpservers/b.yaml')).toBe(started.replaceAll('name: git-hub', 'name: b'));
  });

  it('refuses an entry that reaches for this machine, unless its risk is accepted by name', async () => {
    const args = ['run', '-i', '-v', '/:/host', 'acme/box'];
    const servers = { box: { command: 'docker', args }, wiki: { url: 'http://10.0.0.7/mcp' } };
    const run = await importServers(servers);
    expect(run).toMatchObject({ code: 1, stdout: '0 servers imported, 2 servers refused\n' });
    expect(run.stderr).toContain(
      'box: not imported: "-v /:/host" gives the container access to this machine, or removes its isolation; --allow container accepts it.',
    );
    expect(run.stderr).toContain(
      'wiki: not imported: "http://10.0.0.7" is an address of this machine',
    );
    expect(root.has('config/mcpservers')).toBe(false);
    expect(await importServers(servers, '--start', '--allow', 'container')).toMatchObject({
      ...success('1 server imported, 1 server refused'),
      code: 1,
    });
    expect(read('mcpservers/box.yaml')).toContain('autoStart: false');
  });

  it('does not change a server or a secret that exists, unless it is told to', async () => {
    await importServers(GIT);
    const other = `ghp_${'y'.repeat(36)}`;
    const env = { ...GIT['Git Hub'].env, GITHUB_TOKEN: other };
    const changed = { 'Git Hub': { ...GIT['Git Hub'], args: ['other'], env } };
    write(`config/${GIT_FILE}`, `# mine\n${read(GIT_FILE)}`);
    const refusals =
      `git-hub: not imported: ${GIT_FILE} exists and differs: use --replace, or --rename for another name\n` +
      `git-hub: not imported: ${GIT_SECRET} exists with another value: use --replace, or --rename\n`;
    expect(await importServers(changed)).toMatchObject(failure(refusals, 1));
    expect(read(GIT_SECRET)).toBe(TOKEN);

    const replaced = await importServers(changed, '--replace');
    expect(replaced.stdout).toContain(`changed ${GIT_FILE}\n-     - -y\n`);
    expect(read(GIT_FILE)).toMatch(/^# mine\n[^]* {4}- other\n/u);
    expect(read(GIT_SECRET)).toBe(other);
  });

  it('finds the files of a client, and starts servers of a project in its directory', async () => {
    write('.cursor/mcp.json', '{"mcpServers": {"a": {"url": "https://a.example/mcp"}}}');
    write('work/.cursor/mcp.json', '{"mcpServers": {"b": {"command": "./b", "cwd": "sub"}}}');
    expect(await runImport('cursor', '--write')).toMatchObject({ code: 0 });
    expect(read('mcpservers/a.yaml')).toContain('url: https://a.example/mcp\n');
    expect(read('mcpservers/b.yaml')).toContain(`cwd: ${root.resolve('work/sub')}\n`);
  });

  it('imports what it can, and says why not the rest', async () => {
    const servers = {
      'A B': { command: 'x' },
      'a-b': { command: 'y' },
      '!!!': { command: 'z' },
      ws: { type: 'ws', url: 'ws://x' },
      editor: { command: '${workspaceFolder}/x', args: ['${workspaceFolder}/y'] },
      good: { command: 'ok' },
    };
    const { code, stdout, stderr } = await importServers(servers);
    expect(code).toBe(1);
    expect(stdout).toContain('1 server imported, 5 servers refused\n');
    expect(root.list('config/mcpservers')).toEqual(['good.yaml']);
    for (const reason of [
      'a-b: not imported: another server of this import has the name "a-b" too: use --rename or --only\n',
      '!!!: not imported: its name has no letter and no digit',
      'ws: not imported: Its type "ws" is none of',
      'editor: not imported: The value of "args[0]" is the placeholder',
    ])
      expect(stderr).toContain(reason);
    const one = await importServers(servers, '--only', 'a-b', '--rename', 'a-b=c');
    expect(one.code).toBe(0);
    expect(read('mcpservers/c.yaml')).toContain('command: "y"\n');
  });

  it.each([
    [['--only', 'a', 'b'], '"b"'],
    [['--rename', 'a=z', '--rename', '__proto__=y'], '"__proto__"'],
  ])(
    'refuses names that no server of the source has, and writes nothing: %j',
    async (args, names) => {
      const stderr = `gateway: the source has no server ${names}\n`;
      const run = await importServers({ a: { command: 'x' } }, ...args);
      expect(run).toEqual({ code: 2, stdout: '', stderr });
      expect(root.has('config/mcpservers')).toBe(false);
    },
  );

  it('lists what can be imported', async () => {
    write('.codeium/windsurf/mcp_config.json', '{"mcpServers": {"a": {"command": "x"}}}');
    write('.gemini/settings.json', '{"theme": "x"}');
    write('.cursor/mcp.json', 'not JSON');
    root.mkdir('.codex/config.toml');
    write('.junie/mcp/mcp.json', '\uFEFF\n');
    const run = await runImport();
    expect(run).toMatchObject(success('windsurf'));
    expect(run.stdout).not.toContain('gemini');
    expect(run.stderr).toBe(
      [
        `left out: ${root.path}/.cursor/mcp.json: The text is not JSON (line 1 column 1).`,
        `left out: ${root.path}/.codex/config.toml is not a regular file`,
        'To import the servers of Windsurf: gateway import windsurf --config-dir <dir>\n',
      ].join('\n'),
    );
  });

  it('takes a file of a client without content for one without servers', async () => {
    write('.cursor/mcp.json', '');
    write('work/.cursor/mcp.json', { mcpServers: GIT });
    const run = await runImport('cursor');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 server to import$/mu) });
  });

  it.each([
    ['nothing.json', 'is neither a file nor a client; the clients are claude-desktop, '],
    ['bad.json', 'The text is not JSON'],
    ['blank.json', 'The text is not JSON (it is empty).'],
    ['big.json', 'has more than 10,000,000 bytes'],
    ['empty.json', 'The text has no servers'],
    // A pipe without a writer: the command does not wait for it.
    ['pipe', 'is not a regular file'],
  ])('refuses %s', async (source, reason) => {
    write('bad.json', '{"mcpServers": ');
    write('blank.json', '');
    write('big.json', ' '.repeat(10_000_001));
    write('empty.json', '{}');
    execFileSync('mkfifo', [root.resolve('pipe')]);
    const { code, stderr } = await runImport(root.resolve(source));
    expect(code).not.toBe(0);
    expect(stderr).toContain(reason);
  });

  it('refuses a client without a file, and a directory that does not exist', async () => {
    const unused = await runImport('cursor');
    expect(unused.code).not.toBe(0);
    expect(unused.stderr).toContain('no file of Cursor exists: ');
    const [file, missing] = [write('any.json', { mcpServers: GIT }), root.resolve('missing')];
    expect(await runCommand(['import', file, '--config-dir', missing])).toMatchObject(
      failure(`is not a directory: create it with gateway init ${missing}`),
    );
    expect(root.has('missing')).toBe(false);
  });
});

describe('an import from a client that uses the gateway', () => {
  it.each([
    ['gateway', { command: 'gateway', args: ['stdio', '--config-dir', '/any'] }],
    ['gw', { command: 'npx', args: ['-y', '@gateway/gateway', 'stdio'] }],
    ['gw', { command: 'npx', args: ['-y', '@gateway/gateway@1.2.3', 'stdio', '--url', 'x'] }],
    ['gw', { command: 'node', args: ['/opt/apps/gateway/dist/cli.js', 'stdio', '--url', 'x'] }],
    ['gateway', { url: 'http://127.0.0.1:8090/mcp' }],
    ['gw', { url: 'http://localhost:9/mcp', headers: { 'x-gateway-toolset': 'server:a' } }],
  ])('leaves out its entry %s %j and says so', async (name, entry) => {
    const files = { command: 'npx', args: ['-y', 'files', 'stdio'] };
    const run = await importServers({ [name]: entry, files });
    expect(run).toMatchObject({
      ...success('1 server imported\n'),
      stderr: `${name}: left out: it is the entry of the gateway itself\nIt does not start yet: read it, then set spec.autoStart to true, or use --start.\n`,
    });
    expect(root.list('config/mcpservers')).toEqual(['files.yaml']);
  });

  it('succeeds when there is no other server', async () => {
    const run = await importServers({ gateway: { command: 'gateway', args: ['stdio'] } });
    expect(run).toMatchObject({ code: 0, stdout: '0 servers imported\n' });
  });
});
