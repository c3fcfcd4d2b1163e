import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeSecrets } from '../src/setup/secrets.ts';
import { runCommand } from './run-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-servers-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const loadServers = (verb: string, name: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, name, '--config-dir', root, ...args]);

const toText = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Reports the modes of temporary files as soon as they exist. */
const watchTemporaryFiles = (folder: string, seen: (mode: number) => void) =>
  watch(folder, (_event, name) => {
    const facts =
      name?.endsWith('.tmp') === true && statSync(join(folder, name), { throwIfNoEntry: false });
    if (facts) seen(facts.mode & 0o777);
  });

const parseSpec = (name: string): unknown =>
  (parse(toText(`mcpservers/${name}.yaml`)) as { spec: unknown }).spec;

/** Writes a program that edits a file, and returns the environment that names it. */
const editor = (script: string) => {
  const file = join(root, 'editor.mjs');
  writeFileSync(
    file,
    `import { readFileSync, writeFileSync } from 'node:fs';\nconst file = process.argv[2];\nconst text = readFileSync(file, 'utf8');\n${script}\n`,
  );
  const user = { input: new PassThrough(), output: new PassThrough() };
  return { env: { EDITOR: `${process.execPath} ${file}` }, user };
};

describe('gateway servers add', () => {
  it('writes placeholders as they are', async () => {
    const env = ['--env', 'A=${PLAIN}', '--env', 'B=$${lit}', '--env', 'C=${env:C}'];
    expect(await loadServers('add', 'a', ...env, '--', 'npx')).toMatchObject({ code: 0 });
    expect(parseSpec('a')).toMatchObject({ env: { A: '${PLAIN}', B: '$${lit}', C: '${env:C}' } });
  });

  it('a misspelt placeholder has a warning, also of gateway validate', async () => {
    const warning = 'spec.env.HOME: ${evn:…} is sent as it is written';
    expect(await loadServers('add', 'a', '--env', 'HOME=${evn:HOME}', '--', 'npx')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`warning: ${warning}`),
    });
    const checked = await runCommand(['validate', '--config-dir', root]);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain(`note     files: ${root}/mcpservers/a.yaml: ${warning}`);
  });

  it('makes a path absolute that exists below the working directory only, and says so', async () => {
    const file = join(process.cwd(), 'package.json');
    const added = await loadServers('add', 'mine', '--', 'node', './package.json', 'package');
    expect(added).toMatchObject({
      code: 0,
      stderr: `Relative paths count from the configuration directory, so the file has ${file}.\n`,
    });
    expect(parseSpec('mine')).toMatchObject({ command: 'node', args: [file, 'package'] });
    writeFileSync(join(root, 'package.json'), '{}');
    expect(await loadServers('add', 'own', '--', 'node', './package.json')).toMatchObject({
      stderr: '',
    });
    expect(parseSpec('own')).toMatchObject({ args: ['./package.json'] });
    mkdirSync(join(root, 'sub'));
    await loadServers('add', 'sub', '--cwd', 'sub', '--', 'node', './package.json');
    expect(parseSpec('sub')).toMatchObject({ cwd: 'sub', args: [file] });
  });

  it('writes a server with a command, and its secrets to private files', async () => {
    const token = `ghp_${'x'.repeat(36)}`;
    const args = ['--env', `GITHUB_TOKEN=${token}`, '--env', 'LEVEL=a=b', '--cwd', '.'];
    const { code, stdout } = await loadServers(
      'add',
      'git',
      ...args,
      '--',
      'npx',
      '-y',
      'git-server',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('new file mcpservers/git.yaml\n');
    expect(stdout).not.toContain(token);
    expect(parseSpec('git')).toEqual({
      autoStart: true,
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'git-server'],
      cwd: '.',
      env: { LEVEL: 'a=b' },
      envFrom: [{ name: 'GITHUB_TOKEN', secretKeyRef: { name: 'git', key: 'GITHUB_TOKEN' } }],
    });
    expect(toText('secrets/git/GITHUB_TOKEN')).toBe(token);
    expect(statSync(join(root, 'secrets/git/GITHUB_TOKEN')).mode & 0o777).toBe(0o600);
  });

  it('writes a server with a URL', async () => {
    const header = ['--header', 'X-Team: blue', '--header', 'Authorization=Bearer abc'];
    await loadServers('add', 'wiki', '--url', 'https://wiki.example/sse', ...header, '--no-start');
    expect(parseSpec('wiki')).toEqual({
      autoStart: false,
      type: 'sse',
      url: 'https://wiki.example/sse',
      headers: { 'X-Team': 'blue' },
      headersFrom: [
        { name: 'Authorization', secretKeyRef: { name: 'wiki', key: 'Authorization' } },
      ],
    });
  });

  it.each([
    [['a'], 'a server needs a command after --, or --url'],
    [['a', '--url', 'https://a.example', '--', 'x'], 'a server has a command or --url, not both'],
    [['A', '--', 'x'], 'metadata.name'],
    [['a', '--url', 'ftp://a.example'], 'must be an http:// or https:// URL'],
    [['../a', '--', 'x'], 'metadata.name'],
    [['a', '--env', 'X', '--', 'x'], 'It must be NAME=VALUE.'],
    [
      ['a', '--env', 'https://x.example', '--', 'x'],
      "argument 'https://x.example' is invalid. It must be NAME=VALUE.",
    ],
  ])('refuses %j', async ([name = '', ...args], reason) => {
    const { code, stderr } = await loadServers('add', name, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['1A', 'A B', 'https://x.example/?key', '$A'])(
    'refuses %s as the name of a variable, without the value',
    async (name) => {
      const { code, stderr } = await loadServers('add', 'a', '--env', `${name}=s3cret`, '--', 'x');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `gateway: --env: "${name}" is not the name of a variable; the form is NAME=VALUE, and NAME has letters, digits, "_", "-" and ".", and begins with no digit\n`,
      });
      expect(readdirSync(root)).toEqual([]);
    },
  );

  it('permits every name of a variable that Kubernetes permits', async () => {
    const env = ['--env', '_A1=1', '--env', 'a.b-c=https://x.example/?d=e'];
    expect(await loadServers('add', 'a', ...env, '--', 'x')).toMatchObject({ code: 0 });
    expect(parseSpec('a')).toMatchObject({ env: { _A1: '1', 'a.b-c': 'https://x.example/?d=e' } });
  });

  it('does not replace a server', async () => {
    await loadServers('add', 'a', '--', 'x');
    const { code, stderr } = await loadServers('add', 'a', '--', 'y');
    expect(code).toBe(2);
    expect(stderr).toContain('change it with gateway servers edit a');
    expect(parseSpec('a')).toMatchObject({ command: 'x' });
  });
});

describe('places of secrets', () => {
  const WITH_KEY = ['--env', 'API_KEY=first-value', '--', 'x'];

  it.each([
    ['secrets', '.'],
    ['secrets/a', 'secrets'],
  ])('refuses %s as a link to another directory', async (path, parent) => {
    const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    mkdirSync(join(root, parent), { recursive: true });
    symlinkSync(outside, join(root, path));
    const { code, stderr } = await loadServers('add', 'a', ...WITH_KEY);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${path} leads out of the configuration directory: replace the link by a directory`,
    );
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(root, 'mcpservers/a.yaml'))).toBe(false);
    rmSync(outside, { recursive: true });
  });

  it.each(['exists', 'is missing'])(
    'refuses a file that is a link to a file that %s',
    async (is) => {
      const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
      if (is === 'exists') writeFileSync(join(outside, 'key'), 'theirs');
      mkdirSync(join(root, 'secrets/a'), { recursive: true });
      symlinkSync(join(outside, 'key'), join(root, 'secrets/a/API_KEY'));
      const { code, stderr } = await loadServers('add', 'a', ...WITH_KEY);
      expect(code).toBe(2);
      expect(stderr).toMatch(/secrets\/a\/API_KEY (?:leads out of|cannot be used \(ENOENT\))/u);
      expect(stderr).not.toContain('theirs');
      rmSync(outside, { recursive: true });
    },
  );

  it('follows links inside of the configuration directory', async () => {
    mkdirSync(join(root, 'private'));
    symlinkSync('private', join(root, 'secrets'));
    expect(await loadServers('add', 'a', ...WITH_KEY)).toMatchObject({ code: 0 });
    expect(toText('private/a/API_KEY')).toBe('first-value');
  });

  it.each([
    ['a value that is too large', 'x'.repeat(65_537), 'secrets/a/TOKEN_B would have more than'],
    ['an existing value', 'second-value', 'secrets/a/TOKEN_B exists with another value'],
    ['a directory in its place', 'third-value', 'secrets/a/TOKEN_B is not a file'],
  ])('writes no secret when one of them is refused: %s', async (what, value, text) => {
    mkdirSync(join(root, 'secrets/a'), { recursive: true });
    if (what === 'an existing value') writeFileSync(join(root, 'secrets/a/TOKEN_B'), 'before');
    if (what.startsWith('a directory')) mkdirSync(join(root, 'secrets/a/TOKEN_B'));
    const before = readdirSync(join(root, 'secrets/a'));
    const both = ['--env', 'TOKEN_A=first-value', '--env', `TOKEN_B=${value}`];
    const { code, stderr } = await loadServers('add', 'a', ...both, '--', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain(text);
    expect(readdirSync(join(root, 'secrets/a'))).toEqual(before);
  });

  it('never gives a temporary file the mode of a file that everybody can read', async () => {
    const folder = join(root, 'secrets/a');
    await loadServers('add', 'a', ...WITH_KEY);
    const modes = new Set<number>();
    const seen = watchTemporaryFiles(folder, (mode) => modes.add(mode));
    for (let count = 0; modes.size === 0; count += 1) {
      chmodSync(join(folder, 'API_KEY'), 0o644);
      await writeSecrets(root, [
        { path: 'secrets/a/API_KEY', value: `${String(count)}${'x'.repeat(60_000)}` },
      ]);
    }
    seen.close();
    expect([...modes]).toEqual([0o600]);
    expect(statSync(join(folder, 'API_KEY')).mode & 0o777).toBe(0o600);
  });
});

describe('secrets that exist', () => {
  const add = (value: string) => loadServers('add', 'a', '--env', `API_KEY=${value}`, '--', 'x');

  it('are not overwritten by a new server', async () => {
    await add('first-value');
    await loadServers('remove', 'a');
    const { code, stderr } = await add('second-value');
    expect(code).toBe(2);
    expect(stderr).toContain('secrets/a/API_KEY exists with another value');
    expect(toText('secrets/a/API_KEY')).toBe('first-value');
  });

  it('are private after a change', async () => {
    await add('first-value');
    chmodSync(join(root, 'secrets/a/API_KEY'), 0o644);
    await loadServers('edit', 'a', '--env', 'API_KEY=second-value');
    expect(toText('secrets/a/API_KEY')).toBe('second-value');
    expect(statSync(join(root, 'secrets/a/API_KEY')).mode & 0o777).toBe(0o600);
  });
});

describe('gateway servers edit', () => {
  it('changes what the options name, and keeps comments', async () => {
    await loadServers('add', 'a', '--env', 'A=1', '--env', 'API_KEY=abc', '--', 'x', 'y');
    writeFileSync(join(root, 'mcpservers/a.yaml'), `# mine\n${toText('mcpservers/a.yaml')}`);
    const { code, stdout } = await loadServers(
      'edit',
      'a',
      '--env',
      'API_KEY=${env:KEY}',
      '--env',
      'B=2',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('changed mcpservers/a.yaml\n');
    expect(toText('mcpservers/a.yaml')).toMatch(/^# mine\n/u);
    expect(parseSpec('a')).toEqual({
      autoStart: true,
      type: 'stdio',
      command: 'x',
      args: ['y'],
      env: { A: '1', API_KEY: '${env:KEY}', B: '2' },
    });
    await loadServers('edit', 'a', '--url', 'https://a.example/mcp');
    expect(parseSpec('a')).toMatchObject({ type: 'streamable-http', url: 'https://a.example/mcp' });
  });

  it('removes headers for another origin and variables for another command, with the reason', async () => {
    const header = ['--header', 'Authorization=Bearer abcdef', '--header', 'X-Team=red'];
    await loadServers('add', 'w', '--url', 'https://wiki.example/mcp', ...header);
    const same = await loadServers('edit', 'w', '--url', 'https://wiki.example/v2');
    expect(same.stderr).toBe('');
    expect(parseSpec('w')).toMatchObject({ headers: { 'X-Team': 'red' } });
    const other = await loadServers('edit', 'w', '--url', 'https://collector.example/mcp');
    expect(other.stderr).toBe(
      'Removed, because they were for https://wiki.example and not for https://collector.example: headers.X-Team, headersFrom.Authorization. Set them again if the new server may have them.\n',
    );
    expect(parseSpec('w')).toEqual({
      autoStart: true,
      type: 'streamable-http',
      url: 'https://collector.example/mcp',
    });
    await loadServers('add', 'c', '--env', 'A=1', '--', 'x');
    expect((await loadServers('edit', 'c', '--', 'y')).stderr).toContain('env.A');
    expect(parseSpec('c')).toEqual({ autoStart: true, type: 'stdio', command: 'y' });
  });

  it('starts no editor without a terminal', async () => {
    await loadServers('add', 'a', '--', 'x');
    const { env } = editor("writeFileSync(file, text.replace('command: x', 'command: z'));");
    const { code, stderr } = await runCommand(['servers', 'edit', 'a', '--config-dir', root], {
      env,
    });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'gateway: without a terminal no editor is started: name the change as an option, for example --description TEXT\n',
    );
    expect(parseSpec('a')).toMatchObject({ command: 'x' });
  });

  it('opens the editor without options', async () => {
    await loadServers('add', 'a', '--', 'x');
    const edited = await runCommand(
      ['servers', 'edit', 'a', '--config-dir', root],
      editor("writeFileSync(file, text.replace('command: x', 'command: z # new'));"),
    );
    expect(edited.stdout).toBe('changed mcpservers/a.yaml\n-   command: x\n+   command: z # new\n');
    expect(toText('mcpservers/a.yaml')).toContain('command: z # new\n');
    const same = await runCommand(['servers', 'edit', 'a', '--config-dir', root], editor(''));
    expect(same.stdout).toBe('mcpservers/a.yaml: no change\n');
  });

  it.each([
    ['writeFileSync(file, "a: [");', 'mcpservers/a.yaml is unchanged: '],
    ["writeFileSync(file, text.replace('name: a', 'name: b'));", 'mcpservers/a.yaml is unchanged'],
    ['process.exit(3);', 'the editor ended with an error; nothing changed'],
  ])(
    'keeps the file when the text is not valid or the editor fails: %s',
    async (script, reason) => {
      await loadServers('add', 'a', '--', 'x');
      const before = toText('mcpservers/a.yaml');
      const { code, stderr } = await runCommand(
        ['servers', 'edit', 'a', '--config-dir', root],
        editor(script),
      );
      expect(code).not.toBe(0);
      expect(stderr).toContain(reason);
      expect(toText('mcpservers/a.yaml')).toBe(before);
      const kept = /your text is in (.+)\n$/u.exec(stderr)?.[1];
      if (kept !== undefined) rmSync(dirname(kept), { recursive: true });
    },
  );

  it.each([
    ['is not valid', 'writeFileSync(file, text + "# mine\\n  a: [");', '# mine\n  a: ['],
    [
      'was written before the editor failed',
      'writeFileSync(file, text + "# mine\\n"); process.exit(3);',
      '# mine\n',
    ],
  ])('keeps a text that %s, and names its path', async (_what, script, end) => {
    await loadServers('add', 'a', '--', 'x');
    const { stderr } = await runCommand(
      ['servers', 'edit', 'a', '--config-dir', root],
      editor(script),
    );
    const path = /; your text is in (.+\/a\.yaml)\n$/u.exec(stderr)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(toText('mcpservers/a.yaml') + end);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    rmSync(dirname(path), { recursive: true });
  });

  it('knows the servers of the directory only', async () => {
    await loadServers('add', 'a', '--', 'x');
    expect((await loadServers('edit', 'b', '--', 'x')).stderr).toContain('has no server "b"');
  });

  it('names no path when the user changed nothing', async () => {
    await loadServers('add', 'a', '--', 'x');
    const { stderr } = await runCommand(
      ['servers', 'edit', 'a', '--config-dir', root],
      editor('process.exit(3);'),
    );
    expect(stderr).toBe('gateway: the editor ended with an error; nothing changed\n');
  });
});
