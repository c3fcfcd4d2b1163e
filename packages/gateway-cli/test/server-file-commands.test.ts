import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure, runCommand, success } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const root = useDirectory();
const { has, link, list, mkdir, mode, read, spec, write } = root;

const servers = (verb: string, name: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, name, '--config-dir', root.path, ...args]);
const add = (name: string, ...args: readonly string[]) => servers('add', name, ...args);
const addX = () => add('a', '--', 'x');

/** Edits the server `a` with a program that runs this script on the file. */
const editWith = (script: string) => {
  const lines = [
    "import { readFileSync, writeFileSync } from 'node:fs';",
    'const file = process.argv[2];',
    "const text = readFileSync(file, 'utf8');",
    script,
  ];
  const env = { EDITOR: `${process.execPath} ${write('editor.mjs', lines.join('\n'))}` };
  const command = ['servers', 'edit', 'a', '--config-dir', root.path];
  return {
    run: () =>
      runCommand(command, { env, user: { input: new PassThrough(), output: new PassThrough() } }),
    runWithoutTerminal: () => runCommand(command, { env }),
  };
};

describe('gateway servers add', () => {
  it('writes placeholders as they are', async () => {
    const env = ['--env', 'A=${PLAIN}', '--env', 'B=$${lit}', '--env', 'C=${env:C}'];
    expect(await add('a', ...env, '--', 'npx')).toMatchObject({ code: 0 });
    expect(spec('a')).toMatchObject({ env: { A: '${PLAIN}', B: '$${lit}', C: '${env:C}' } });
  });

  it('a misspelt placeholder has a warning, also of gateway validate', async () => {
    const warning = 'spec.env.HOME: ${evn:…} is sent as it is written';
    const added = await add('a', '--env', 'HOME=${evn:HOME}', '--', 'npx');
    expect(added).toMatchObject(failure(`warning: ${warning}`, 0));
    expect(await runCommand(['validate', '--config-dir', root.path])).toMatchObject(
      success(`note     files: ${root.path}/mcpservers/a.yaml: ${warning}`),
    );
  });

  it('a secret in clear text has a warning with its line, of gateway validate too, and never its value', async () => {
    await addX();
    const text = read('mcpservers/a.yaml');
    write('mcpservers/a.yaml', `${text}  env:\n    A: b\n    API_KEY: s3cr3t\n`);
    const line = String(text.split('\n').length + 2);
    const warning = 'spec.env.API_KEY looks like a secret and is written in clear text';
    const { code, stdout } = await runCommand(['validate', '--config-dir', root.path]);
    expect(stdout).toContain(
      `note     files: ${root.path}/mcpservers/a.yaml:${line}:5: ${warning}`,
    );
    expect([code, stdout.includes('s3cr3t')]).toEqual([0, false]);
    const edited = await servers('edit', 'a', '--description', 'A server');
    expect(edited.stderr).toContain(`warning: ${warning}`);
    expect(edited.stdout + edited.stderr).not.toContain('s3cr3t');
  });

  it('makes a path absolute that exists below the working directory only, and says so', async () => {
    const file = join(process.cwd(), 'package.json');
    expect(await add('mine', '--', 'node', './package.json', 'package')).toMatchObject({
      code: 0,
      stderr: `Relative paths count from the configuration directory, so the file has ${file}.\n`,
    });
    expect(spec('mine')).toMatchObject({ command: 'node', args: [file, 'package'] });
    write('package.json', '{}');
    expect(await add('own', '--', 'node', './package.json')).toMatchObject({ stderr: '' });
    expect(spec('own')).toMatchObject({ args: ['./package.json'] });
    mkdir('sub');
    await add('sub', '--cwd', 'sub', '--', 'node', './package.json');
    expect(spec('sub')).toMatchObject({ cwd: 'sub', args: [file] });
  });

  it('writes a server with a command, and its secrets to private files', async () => {
    const token = `ghp_${'x'.repeat(36)}`;
    const args = ['--env', `GITHUB_TOKEN=${token}`, '--env', 'LEVEL=a=b', '--cwd', '.'];
    const added = await add('git', ...args, '--', 'npx', '-y', 'git-server');
    expect(added).toMatchObject(success('new file mcpservers/git.yaml\n'));
    expect(added.stdout).not.toContain(token);
    expect(spec('git')).toEqual({
      autoStart: true,
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'git-server'],
      cwd: '.',
      env: { LEVEL: 'a=b' },
      envFrom: [{ name: 'GITHUB_TOKEN', secretKeyRef: { name: 'git', key: 'GITHUB_TOKEN' } }],
    });
    expect(read('secrets/git/GITHUB_TOKEN')).toBe(token);
    expect(mode('secrets/git/GITHUB_TOKEN')).toBe(0o600);
  });

  it('writes a server with a URL', async () => {
    const header = ['--header', 'X-Team: blue', '--header', 'Authorization=Bearer abc'];
    await add('wiki', '--url', 'https://wiki.example/sse', ...header, '--no-start');
    const secretKeyRef = { name: 'wiki', key: 'Authorization' };
    expect(spec('wiki')).toEqual({
      autoStart: false,
      type: 'sse',
      url: 'https://wiki.example/sse',
      headers: { 'X-Team': 'blue' },
      headersFrom: [{ name: 'Authorization', secretKeyRef }],
    });
  });

  const URL_VALUE = "argument 'https://x.example' is invalid. It must be NAME=VALUE.";
  it.each([
    [['a'], 'a server needs a command after --, or --url'],
    [['a', '--url', 'https://a.example', '--', 'x'], 'a server has a command or --url, not both'],
    [['A', '--', 'x'], 'metadata.name'],
    [['a', '--url', 'ftp://a.example'], 'must be an http:// or https:// URL'],
    [['../a', '--', 'x'], 'metadata.name'],
    [['a', '--env', 'X', '--', 'x'], 'It must be NAME=VALUE.'],
    [['a', '--env', 'https://x.example', '--', 'x'], URL_VALUE],
  ])('refuses %j', async ([name = '', ...args], reason) => {
    expect(await add(name, ...args)).toMatchObject(failure(reason));
    expect(list()).toEqual([]);
  });

  it.each(['1A', 'A B', 'https://x.example/?key', '$A'])(
    'refuses %s as the name of a variable, without the value',
    async (name) => {
      expect(await add('a', '--env', `${name}=s3cret`, '--', 'x')).toMatchObject({
        code: 2,
        stderr: `gateway: --env: "${name}" is not the name of a variable; the form is NAME=VALUE, and NAME has letters, digits, "_", "-" and ".", and begins with no digit\n`,
      });
      expect(list()).toEqual([]);
    },
  );

  it('permits every name of a variable that Kubernetes permits', async () => {
    const env = ['--env', '_A1=1', '--env', 'a.b-c=https://x.example/?d=e'];
    expect(await add('a', ...env, '--', 'x')).toMatchObject({ code: 0 });
    expect(spec('a')).toMatchObject({ env: { _A1: '1', 'a.b-c': 'https://x.example/?d=e' } });
  });

  it('does not replace a server', async () => {
    await addX();
    const again = await add('a', '--', 'y');
    expect(again).toMatchObject(failure('change it with gateway servers edit a'));
    expect(spec('a')).toMatchObject({ command: 'x' });
  });
});

describe('secrets', () => {
  const KEY_FILE = 'secrets/a/API_KEY';
  const addKey = (value = 'first-value') => add('a', '--env', `API_KEY=${value}`, '--', 'x');
  const createOutside = (): string => {
    const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    return outside;
  };

  it.each(['secrets', 'secrets/a'])('refuses %s as a link to another directory', async (path) => {
    const outside = createOutside();
    link(path, outside);
    const reason = 'leads out of the configuration directory: replace the link by a directory';
    expect(await addKey()).toMatchObject(failure(`${path} ${reason}`));
    expect(readdirSync(outside)).toEqual([]);
    expect(has('mcpservers/a.yaml')).toBe(false);
  });

  it.each(['exists', 'is missing'])('refuses a link to a file that %s', async (state) => {
    const outside = createOutside();
    link(KEY_FILE, join(outside, 'key'));
    if (state === 'exists') write(KEY_FILE, 'theirs');
    const { code, stderr } = await addKey();
    expect(code).toBe(2);
    expect(stderr).toMatch(/secrets\/a\/API_KEY (?:leads out of|cannot be used \(ENOENT\))/u);
    expect(stderr).not.toContain('theirs');
  });

  it('follows links inside of the configuration directory', async () => {
    mkdir('private');
    link('secrets', 'private');
    expect(await addKey()).toMatchObject({ code: 0 });
    expect(read('private/a/API_KEY')).toBe('first-value');
  });

  it.each([
    ['a value that is too large', 'ü'.repeat(40_000), 'would have more than'],
    ['an existing value', 'second-value', 'exists with another value'],
    ['a directory in its place', 'third-value', 'is not a file'],
  ])('writes no secret when one of them is refused: %s', async (what, value, text) => {
    mkdir('secrets/a');
    if (what === 'an existing value') write('secrets/a/TOKEN_B', 'before');
    if (what.startsWith('a directory')) mkdir('secrets/a/TOKEN_B');
    const before = list('secrets/a');
    const both = ['--env', 'TOKEN_A=first-value', '--env', `TOKEN_B=${value}`];
    const added = await add('a', ...both, '--', 'x');
    expect(added).toMatchObject(failure(`secrets/a/TOKEN_B ${text}`));
    expect(list('secrets/a')).toEqual(before);
  });

  it('are not overwritten by a new server', async () => {
    mkdir('secrets/a');
    write(KEY_FILE, 'first-value');
    const again = await addKey('second-value');
    expect(again).toMatchObject(failure(`${KEY_FILE} exists with another value`));
    expect(read(KEY_FILE)).toBe('first-value');
  });

  it('are private after a change', async () => {
    await addKey();
    chmodSync(root.resolve(KEY_FILE), 0o644);
    await servers('edit', 'a', '--env', 'API_KEY=second-value');
    expect([read(KEY_FILE), mode(KEY_FILE)]).toEqual(['second-value', 0o600]);
  });
});

describe('gateway servers edit', () => {
  const FILE = 'mcpservers/a.yaml';

  it('changes what the options name, and keeps comments', async () => {
    await add('a', '--env', 'A=1', '--env', 'API_KEY=abc', '--', 'x', 'y');
    write(FILE, `# mine\n${read(FILE)}`);
    const edited = await servers('edit', 'a', '--env', 'API_KEY=${env:KEY}', '--env', 'B=2');
    expect(edited).toMatchObject(success(`changed ${FILE}\n`));
    expect(read(FILE)).toMatch(/^# mine\n/u);
    const env = { A: '1', API_KEY: '${env:KEY}', B: '2' };
    expect(spec('a')).toEqual({ autoStart: true, type: 'stdio', command: 'x', args: ['y'], env });
    await servers('edit', 'a', '--url', 'https://a.example/mcp');
    expect(spec('a')).toMatchObject({ type: 'streamable-http', url: 'https://a.example/mcp' });
  });

  it('removes headers for another origin and variables for another command, with the reason', async () => {
    const header = ['--header', 'Authorization=Bearer abcdef', '--header', 'X-Team=red'];
    await add('w', '--url', 'https://wiki.example/mcp', ...header);
    const same = await servers('edit', 'w', '--url', 'https://wiki.example/v2');
    expect(same.stderr).toBe('');
    expect(spec('w')).toMatchObject({ headers: { 'X-Team': 'red' } });
    const url = 'https://collector.example/mcp';
    expect((await servers('edit', 'w', '--url', url)).stderr).toBe(
      'Removed, because they were for https://wiki.example and not for https://collector.example: headers.X-Team, headersFrom.Authorization. Set them again if the new server may have them.\n',
    );
    expect(spec('w')).toEqual({ autoStart: true, type: 'streamable-http', url });
    await add('c', '--env', 'A=1', '--', 'x');
    expect((await servers('edit', 'c', '--', 'y')).stderr).toContain('env.A');
    expect(spec('c')).toEqual({ autoStart: true, type: 'stdio', command: 'y' });
  });

  it('opens the editor without options, at a terminal only', async () => {
    await addX();
    const editor = editWith("writeFileSync(file, text.replace('command: x', 'command: z # new'));");
    expect(await editor.runWithoutTerminal()).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'gateway: without a terminal no editor is started: name the change as an option, for example --description TEXT\n',
    });
    expect(spec('a')).toMatchObject({ command: 'x' });
    const { stdout } = await editor.run();
    expect(stdout).toBe(`changed ${FILE}\n-   command: x\n+   command: z # new\n`);
    expect(read(FILE)).toContain('command: z # new\n');
    expect((await editWith('').run()).stdout).toBe(`${FILE}: no change\n`);
  });

  it.each([
    ['writeFileSync(file, "a: [");', `${FILE} is unchanged: `],
    ["writeFileSync(file, text.replace('name: a', 'name: b'));", `${FILE} is unchanged`],
  ])('keeps the file when the text is not valid: %s', async (script, reason) => {
    await addX();
    const before = read(FILE);
    const { code, stderr } = await editWith(script).run();
    expect(code).not.toBe(0);
    expect(stderr).toContain(reason);
    expect(read(FILE)).toBe(before);
    const kept = /your text is in (.+)\n$/u.exec(stderr)?.[1];
    if (kept !== undefined) rmSync(dirname(kept), { recursive: true });
  });

  it.each([
    ['is not valid', '# mine\n  a: [', ''],
    ['was written before the editor failed', '# mine\n', 'process.exit(3);'],
  ])('keeps a text that %s, and names its path', async (_what, end, exit) => {
    await addX();
    const script = `writeFileSync(file, text + ${JSON.stringify(end)}); ${exit}`;
    const { stderr } = await editWith(script).run();
    const path = /; your text is in (.+\/a\.yaml)\n$/u.exec(stderr)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(read(FILE) + end);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    rmSync(dirname(path), { recursive: true });
  });

  it('knows the servers of the directory only', async () => {
    await addX();
    expect((await servers('edit', 'b', '--', 'x')).stderr).toContain('has no server "b"');
  });

  it('keeps the file when the editor fails, and names no path when the user changed nothing', async () => {
    await addX();
    const before = read(FILE);
    const { code, stderr } = await editWith('process.exit(3);').run();
    expect(code).not.toBe(0);
    expect(stderr).toBe('gateway: the editor ended with an error; nothing changed\n');
    expect(read(FILE)).toBe(before);
  });
});
