import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const TOKEN = `ghp_${'x'.repeat(36)}`;

let root = '';
let config = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-import-'));
  config = join(root, 'config');
  mkdirSync(config);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string, text: string): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const importFrom = (source: string, ...args: readonly string[]) =>
  runCommand(['import', source, '--config-dir', config, '--project', join(root, 'work'), ...args], {
    env: { HOME: root },
  });

const toText = (path: string): string => readFileSync(join(config, path), 'utf8');

const GIT = {
  mcpServers: {
    'Git Hub': {
      command: 'npx',
      args: ['-y', 'git-server'],
      env: { GITHUB_TOKEN: TOKEN, LEVEL: 'debug', USER_NAME: '${USER}' },
    },
  },
};

describe('gateway import', () => {
  it('shows what it would write, without secrets, and writes nothing', async () => {
    const file = write('any.json', JSON.stringify(GIT));
    const { code, stdout, stderr } = await importFrom(file);
    expect({ code, stdout, stderr }).toEqual({
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
    expect(readdirSync(config)).toEqual([]);
  });

  it('writes servers and private secrets, then finds them', async () => {
    const file = write('any.json', JSON.stringify(GIT));
    const first = await importFrom(file, '--write');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('1 server imported\n');
    expect(first.stdout + first.stderr).not.toContain(TOKEN);
    expect(toText('secrets/git-hub/GITHUB_TOKEN')).toBe(TOKEN);
    expect(statSync(join(config, 'secrets/git-hub/GITHUB_TOKEN')).mode & 0o777).toBe(0o600);
    expect(statSync(join(config, 'secrets/git-hub')).mode & 0o777).toBe(0o700);
    expect(toText('mcpservers/git-hub.yaml')).not.toContain(TOKEN);
    expect(await runCommand(['validate', '--config-dir', config])).toMatchObject({ code: 0 });

    const second = await importFrom(file, '--write');
    expect(second.stdout).toBe('git-hub: the directory has it already\n0 servers imported\n');
  });

  it('does not start a server that somebody else wrote, unless it is told to', async () => {
    const file = write('any.json', JSON.stringify(GIT));
    const first = await importFrom(file, '--write');
    expect(first.stderr).toContain(
      'It does not start yet: read it, then set spec.autoStart to true',
    );
    const path = join(config, 'mcpservers/git-hub.yaml');
    const started = toText('mcpservers/git-hub.yaml').replace(
      'autoStart: false',
      'autoStart: true',
    );
    writeFileSync(path, started);
    const second = await importFrom(file, '--write');
    expect(second.stdout).toBe('git-hub: the directory has it already\n0 servers imported\n');
    rmSync(path);
    expect(await importFrom(file, '--write', '--start')).toMatchObject({ code: 0 });
    expect(toText('mcpservers/git-hub.yaml')).toBe(started);
  });

  it('refuses an entry that reaches for this machine, unless its risk is accepted by name', async () => {
    const args = ['run', '-i', '-v', '/:/host', 'acme/box'];
    const servers = { box: { command: 'docker', args }, wiki: { url: 'http://10.0.0.7/mcp' } };
    const file = write('any.json', JSON.stringify({ mcpServers: servers }));
    const run = await importFrom(file, '--write');
    expect(run).toMatchObject({ code: 1, stdout: '0 servers imported, 2 servers refused\n' });
    expect(run.stderr).toContain(
      'box: not imported: "-v /:/host" gives the container access to this machine, or removes its isolation; --allow container accepts it.',
    );
    expect(run.stderr).toContain(
      'wiki: not imported: "http://10.0.0.7" is an address of this machine',
    );
    expect(existsSync(join(config, 'mcpservers'))).toBe(false);
    const accepted = await importFrom(file, '--write', '--start', '--allow', 'container');
    expect(accepted).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 server imported, 1 server refused'),
    });
    expect(toText('mcpservers/box.yaml')).toContain('autoStart: false');
  });

  it('does not change a server or a secret that exists, unless it is told to', async () => {
    const file = write('any.json', JSON.stringify(GIT));
    await importFrom(file, '--write');
    const changed = structuredClone(GIT);
    changed.mcpServers['Git Hub'].env.GITHUB_TOKEN = `ghp_${'y'.repeat(36)}`;
    changed.mcpServers['Git Hub'].args = ['other'];
    writeFileSync(file, JSON.stringify(changed));
    writeFileSync(
      join(config, 'mcpservers/git-hub.yaml'),
      `# mine\n${toText('mcpservers/git-hub.yaml')}`,
    );
    const refused = await importFrom(file, '--write');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'git-hub: not imported: mcpservers/git-hub.yaml exists and differs: use --replace, or --rename for another name\n' +
        'git-hub: not imported: secrets/git-hub/GITHUB_TOKEN exists with another value: use --replace, or --rename\n',
    );
    expect(toText('secrets/git-hub/GITHUB_TOKEN')).toBe(TOKEN);

    const replaced = await importFrom(file, '--write', '--replace');
    expect(replaced.stdout).toContain('changed mcpservers/git-hub.yaml\n-     - -y\n');
    expect(toText('mcpservers/git-hub.yaml')).toMatch(/^# mine\n[^]* {4}- other\n/u);
    expect(toText('secrets/git-hub/GITHUB_TOKEN')).toBe(`ghp_${'y'.repeat(36)}`);
  });

  it('finds the files of a client, and starts servers of a project in its directory', async () => {
    write('.cursor/mcp.json', '{"mcpServers": {"a": {"url": "https://a.example/mcp"}}}');
    write('work/.cursor/mcp.json', '{"mcpServers": {"b": {"command": "./b", "cwd": "sub"}}}');
    expect(await importFrom('cursor', '--write')).toMatchObject({ code: 0 });
    expect(toText('mcpservers/a.yaml')).toContain('url: https://a.example/mcp\n');
    expect(toText('mcpservers/b.yaml')).toContain(`cwd: ${join(root, 'work/sub')}\n`);
  });

  it('imports what it can, and says why not the rest', async () => {
    const file = write(
      'any.json',
      JSON.stringify({
        mcpServers: {
          'A B': { command: 'x' },
          'a-b': { command: 'y' },
          '!!!': { command: 'z' },
          ws: { type: 'ws', url: 'ws://x' },
          editor: { command: '${workspaceFolder}/x', args: ['${workspaceFolder}/y'] },
          good: { command: 'ok' },
        },
      }),
    );
    const { code, stdout, stderr } = await importFrom(file, '--write');
    expect(code).toBe(1);
    expect(stdout).toContain('1 server imported, 5 servers refused\n');
    expect(readdirSync(join(config, 'mcpservers'))).toEqual(['good.yaml']);
    expect(stderr).toContain(
      'a-b: not imported: another server of this import has the name "a-b" too: use --rename or --only\n',
    );
    expect(stderr).toContain('!!!: not imported: its name has no letter and no digit');
    expect(stderr).toContain('ws: not imported: Its type "ws" is none of');
    expect(stderr).toContain('editor: not imported: The value of "args[0]" is the placeholder');

    const one = await importFrom(file, '--only', 'a-b', '--rename', 'a-b=c', '--write');
    expect(one.code).toBe(0);
    expect(toText('mcpservers/c.yaml')).toContain('command: "y"\n');
  });

  it('refuses names that no server of the source has, and writes nothing', async () => {
    const file = write('names.json', '{"mcpServers": {"a": {"command": "x"}}}');
    for (const [args, names] of [
      [['--only', 'a', 'b'], '"b"'],
      [['--rename', 'a=z', '--rename', '__proto__=y'], '"__proto__"'],
    ] as const)
      expect(await importFrom(file, ...args, '--write')).toEqual({
        code: 2,
        stdout: '',
        stderr: `gateway: the source has no server ${names}\n`,
      });
    expect(existsSync(join(config, 'mcpservers'))).toBe(false);
  });

  it('lists what can be imported', async () => {
    write('.codeium/windsurf/mcp_config.json', '{"mcpServers": {"a": {"command": "x"}}}');
    write('.gemini/settings.json', '{"theme": "x"}');
    write('.cursor/mcp.json', 'not JSON');
    mkdirSync(join(root, '.codex/config.toml'), { recursive: true });
    write('.junie/mcp/mcp.json', '\uFEFF\n');
    const { code, stdout, stderr } = await runCommand(
      ['import', '--config-dir', config, '--project', join(root, 'project')],
      { env: { HOME: root } },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('windsurf');
    expect(stdout).not.toContain('gemini');
    expect(stderr).toBe(
      [
        `left out: ${root}/.cursor/mcp.json: The text is not JSON (line 1 column 1).`,
        `left out: ${root}/.codex/config.toml is not a regular file`,
        'To import the servers of Windsurf: gateway import windsurf --config-dir <dir>\n',
      ].join('\n'),
    );
  });

  it('takes a file of a client without content for one without servers', async () => {
    write('.cursor/mcp.json', '');
    write('project/.cursor/mcp.json', JSON.stringify(GIT));
    const args = ['import', 'cursor', '--config-dir', config, '--project', join(root, 'project')];
    const { code, stdout } = await runCommand(args, { env: { HOME: root } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 server to import$/mu);
    const file = write('empty.json', '');
    expect((await importFrom(file)).stderr).toContain('The text is not JSON (it is empty).');
  });

  it.each([
    ['nothing.json', 'is neither a file nor a client; the clients are claude-desktop, '],
    ['cursor', 'no file of Cursor exists: '],
    ['bad.json', 'The text is not JSON'],
    ['big.json', 'has more than 10,000,000 bytes'],
    ['empty.json', 'The text has no servers'],
  ])('refuses %s', async (source, reason) => {
    write('bad.json', '{"mcpServers": ');
    write('big.json', ' '.repeat(10_000_001));
    write('empty.json', '{}');
    const { code, stderr } = await importFrom(source === 'cursor' ? source : join(root, source));
    expect(code).not.toBe(0);
    expect(stderr).toContain(reason);
  });

  it('needs a configuration directory that exists', async () => {
    const file = write('any.json', JSON.stringify(GIT));
    const missing = join(root, 'missing');
    const { code, stderr } = await runCommand(['import', file, '--config-dir', missing]);
    expect(code).toBe(2);
    expect(stderr).toContain(`is not a directory: create it with gateway init ${missing}`);
    expect(existsSync(missing)).toBe(false);
  });
});

it('does not wait for a pipe without a writer', async () => {
  const pipe = join(root, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const { code, stderr } = await importFrom(pipe);
  expect(code).toBe(1);
  expect(stderr).toContain('is not a regular file');
});
