import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { failure, runCommand } from '../run-command.ts';

const state = createTestConfigDirectory();
const env = { XDG_STATE_HOME: state.path, NO_COLOR: '1' };
afterAll(() => {
  state.remove();
});

const shell = (stdin: string, ...options: readonly string[]) =>
  runCommand(['shell', '--url', 'http://127.0.0.1:1/mcp', ...options], { stdin, env });

describe('gateway shell without a terminal', () => {
  it('runs every line, ignores comments and ends with the code of the first failure', async () => {
    const lines = ['# comment', '', 'tools list', 'nonsense', 'gateway schema config  # ok'];
    const { code, stdout, stderr } = await shell(lines.join('\n'));
    expect(code).toBe(1);
    expect(stderr).toContain('gateway: no gateway answers at http://127.0.0.1:1/mcp');
    expect(stderr).toContain("unknown command 'nonsense'");
    expect(stdout).toContain('"$schema"');
  });
  it.each(['servers', 'gateway servers', 'servers list', 'servers --output json'])(
    'sends the request of "%s" to the gateway of --url',
    async (line) => {
      const reason = 'gateway: no gateway answers at http://127.0.0.1:1/mcp';
      expect(await shell(line)).toMatchObject(failure(reason, 1));
    },
  );
  it('stops at the first failure with --fail-fast, and at exit', async () => {
    const failed = await shell('__proto__\nschema config\n', '--fail-fast');
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(await shell('exit\nnonsense\n')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
  it('refuses what makes no sense inside', async () => {
    const long = `# ${'x'.repeat(70_000)}`;
    const lines = ['serve --port 0', 'gateway stdio', 'shell', "tools 'list", long];
    const { code, stderr } = await shell([...lines, 'tools call x --json -'].join('\n'));
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'gateway: "serve" does not run inside the shell: run gateway serve in another terminal',
      'gateway: "stdio" does not run inside the shell: run gateway stdio in another terminal',
      'gateway: "shell" does not run inside the shell: run gateway shell in another terminal',
      'gateway: the single quote is not closed: a line cannot continue on the next one',
      'gateway: a line has at most 65536 characters',
      'gateway: standard input is that of the shell',
    ]);
  });
  it('has help', async () => {
    const { code, stdout } = await shell('help\nhelp tools call\n');
    expect(code).toBe(0);
    expect(stdout).toContain('Inside the shell:');
    expect(stdout).toContain('Usage: gateway tools call [options] <name>');
  });
});

describe('gateway shell at a terminal', () => {
  const atTerminal = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let screen = '';
    output.on('data', (piece: Buffer) => {
      screen += piece.toString();
    });
    const ended = runCommand(['shell', '--url', 'http://127.0.0.1:1/mcp'], {
      env,
      user: { input, output },
    });
    const shows = (text: string, count = 1) =>
      retryAssertion(() => {
        expect(screen.split(text).length - 1).toBeGreaterThanOrEqual(count);
      });
    return { input, shows, ended };
  };

  it('completes, goes on after failures and Ctrl+C, and ends at Ctrl+D', async () => {
    const { input, shows, ended } = atTerminal();
    await shows('gateway> ');
    input.write('sche\t');
    await shows('schema ');
    input.write('config\n');
    await shows('gateway> ', 2);
    input.write('nonsense');
    await shows('nonsense');
    input.write('\u0003');
    await shows('^C');
    input.write('toolz\ntools call x token=1\n\u0004');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout).toContain('"$schema"');
    expect(stderr).toContain("unknown command 'toolz'");
    expect(stderr).not.toContain('nonsense');
  });
  it('has the lines of an earlier shell, without secrets', async () => {
    const { input, shows, ended } = atTerminal();
    await shows('gateway> ');
    input.write('\u001B[A');
    await shows('toolz');
    input.write('\u0003');
    await shows('^C');
    input.end('exit\n');
    expect((await ended).code).toBe(0);
  });
});
