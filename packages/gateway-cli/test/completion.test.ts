import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const directory = useDirectory();

const readScript = async (shell: string) => (await runCommand(['completion', shell])).stdout;
const bash = readScript('bash');

/** Returns the completions of bash for the words after `gateway`; the last word is incomplete. */
const complete = async (words: readonly string[], names = ''): Promise<readonly string[]> => {
  const program = `${await bash}
${names}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gateway
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['-c', program, 'bash', 'gateway', ...words];
  const out = execFileSync('bash', args, { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
};

describe('completion in bash offers', () => {
  it.each([
    ['commands', ['to'], ['tools', 'toolset']],
    ['subcommands', ['tools', ''], ['list', 'describe', 'call', '--help']],
    ['options', ['tools', 'list', '--url', 'http://127.0.0.1/mcp', '--o'], ['--output']],
    ['no option of another command', ['serve', '--w'], []],
    ['no option of another command', ['validate', '--w'], []],
    ['the choices of options', ['tools', 'list', '--output', ''], ['text', 'json']],
    ['the choices of arguments', ['crds', 'w'], ['workflow', 'workflowexecution']],
    ['directories', ['serve', '--config-dir', '/us'], ['/usr']],
    ['nothing for other values', ['serve', '--host', ''], []],
  ])('%s: %j', async (_what, words, offered) => {
    expect(await complete(words)).toEqual(offered);
  });
});

describe('completion of names in bash', () => {
  /** A program in the place of the gateway: prints its arguments after two names, one of which a shell would run. */
  const NAMES = `gateway() { printf '%s\\n' files 'x$(touch '"$RAN"')' "$@"; }`;
  const completeNames = (...words: readonly string[]) => complete(words, NAMES);

  it('asks for the names of the kind, and runs none of them', async () => {
    expect(await completeNames('tools', 'call', '')).toEqual(
      expect.arrayContaining(['files', 'x$(touch )', 'names', 'tools']),
    );
  });
  it.each([
    ['tools call x_files_read @', ['names', 'tool-arguments', 'x_files_read']],
    ['tools call --output json x_files_read a = 1 @', ['names', 'tool-arguments', 'x_files_read']],
    ['tools call --url http : //a : 80/mcp x_read @', ['names', 'tool-arguments', 'x_read']],
    ['tools call --toolset = server : a x_read @', ['names', 'tool-arguments', 'x_read']],
    ['workflow run digest @', ['names', 'workflow-arguments', 'digest']],
    // There is no name yet.
    ['tools call --output json @', ['names', 'tools']],
    ['tools describe x_read @', ['names', 'tools']],
  ])('asks for arguments after the name of a tool or workflow: %s', async (line, asked) => {
    const all = await completeNames(...line.replace('@', '').split(' '));
    expect(all.slice(-asked.length)).toEqual(asked);
  });
  it.each([
    ['servers get f', ['files']],
    ['tools call x a =', []],
    ['tools call x a = f', []],
    ['tools call x f', ['files']],
    ['servers edit --config-dir /x /', ['/x']],
    ['servers remove --c', ['--config-dir']],
    ['presets f', []],
  ])('offers names, none for the value of an argument: %s', async (line, offered) => {
    expect(await completeNames(...line.split(' '))).toEqual(offered);
  });
});

describe('gateway names', () => {
  it('prints the servers of a configuration directory whose names are plain', async () => {
    for (const name of ['wiki', '$(id)', '-x', 'a b'])
      directory.write(`mcpservers/${name}.yaml`, '');
    const run = await runCommand(['names', 'files', '--config-dir', directory.path]);
    expect(run).toEqual({ code: 0, stdout: 'wiki\n', stderr: '' });
  });
  it('prints nothing without a gateway, and is not in the help', async () => {
    const url = ['--url', 'http://127.0.0.1:1/mcp'];
    expect(await runCommand(['names', 'tools', ...url])).toMatchObject({ code: 0, stdout: '' });
    expect((await runCommand(['--help'])).stdout).not.toContain('names');
  });
});

describe('completion in other shells', () => {
  it.each([
    ['zsh', `'--expose:the meta-tools, or the servers'\\'' own`],
    ['fish', `-d 'the meta-tools, or the servers\\' own`],
  ])('contains every command of the tree and quotes descriptions: %s', async (shell, quoted) => {
    const text = await readScript(shell);
    for (const path of ['tools call', 'servers restart', 'events'])
      expect(text).toContain(`gateway ${path}`);
    expect(text).toContain(quoted);
  });
  it('is refused for an unknown shell', async () => {
    expect(await runCommand(['completion', 'csh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
