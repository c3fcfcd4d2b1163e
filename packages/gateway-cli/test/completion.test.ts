import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { runCommand } from './run-command.ts';

const scripts = new Map<string, Promise<string>>();

const script = (shell: string): Promise<string> => {
  const written =
    scripts.get(shell) ?? runCommand(['completion', shell]).then(({ stdout }) => stdout);
  scripts.set(shell, written);
  return written;
};

/** Returns the completions of bash for a command line; the last word is incomplete. */
async function completionsOf(...words: readonly string[]): Promise<readonly string[]> {
  const program = `${await script('bash')}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gateway
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it('offers commands, then subcommands', async () => {
    expect(await completionsOf('gateway', 'to')).toEqual(['tools', 'toolset']);
    expect(await completionsOf('gateway', 'tools', '')).toEqual([
      'list',
      'describe',
      'call',
      '--help',
    ]);
  });
  it('offers the options of the command after options with values', async () => {
    expect(
      await completionsOf('gateway', 'tools', 'list', '--url', 'http://127.0.0.1/mcp', '--o'),
    ).toEqual(['--output']);
    expect(await completionsOf('gateway', 'serve', '--w')).toEqual([]);
    expect(await completionsOf('gateway', 'validate', '--w')).toEqual([]);
  });
  it('offers the choices of options and arguments, and directories', async () => {
    expect(await completionsOf('gateway', 'tools', 'list', '--output', '')).toEqual([
      'text',
      'json',
    ]);
    expect(await completionsOf('gateway', 'crds', 'w')).toEqual(['workflow', 'workflowexecution']);
    expect(await completionsOf('gateway', 'serve', '--config-dir', '/us')).toEqual(['/usr']);
    expect(await completionsOf('gateway', 'serve', '--host', '')).toEqual([]);
  });
});

describe('completion of names in bash', () => {
  /** A program in the place of the gateway: prints its arguments after two names, one of which a shell would run. */
  const withNames = async (...words: readonly string[]) => {
    const program = `${await script('bash')}
gateway() { printf '%s\\n' files 'x$(touch '"$RAN"')' "$@"; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gateway
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  };

  it('asks for the names of the kind, and runs none of them', async () => {
    expect(await withNames('gateway', 'servers', 'get', 'f')).toEqual(['files']);
    const all = await withNames('gateway', 'tools', 'call', '');
    expect(all).toEqual(expect.arrayContaining(['files', 'x$(touch )', 'names', 'tools']));
  });
  it.each([
    [['tools', 'call', 'x_files_read', ''], 'tool-arguments', 'x_files_read'],
    [
      ['tools', 'call', '--output', 'json', 'x_files_read', 'a', '=', '1', ''],
      'tool-arguments',
      'x_files_read',
    ],
    [
      ['tools', 'call', '--url', 'http', ':', '//a', ':', '80/mcp', 'x_read', ''],
      'tool-arguments',
      'x_read',
    ],
    [
      ['tools', 'call', '--toolset', '=', 'server', ':', 'a', 'x_read', ''],
      'tool-arguments',
      'x_read',
    ],
    [['workflow', 'run', 'digest', ''], 'workflow-arguments', 'digest'],
  ])(
    'asks for the arguments of a tool or workflow after its name: %j',
    async (words, kind, owner) => {
      const all = await withNames('gateway', ...words);
      expect(all.slice(-3)).toEqual(['names', kind, owner]);
    },
  );
  it('asks for names and not for arguments where there is no name yet, and not after other names', async () => {
    const all = await withNames('gateway', 'tools', 'call', '--output', 'json', '');
    expect(all.slice(-2)).toEqual(['names', 'tools']);
    const other = await withNames('gateway', 'tools', 'describe', 'x_read', '');
    expect(other.slice(-2)).toEqual(['names', 'tools']);
  });
  it('offers nothing for the value of an argument', async () => {
    expect(await withNames('gateway', 'tools', 'call', 'x', 'a', '=')).toEqual([]);
    expect(await withNames('gateway', 'tools', 'call', 'x', 'a', '=', 'f')).toEqual([]);
    expect(await withNames('gateway', 'tools', 'call', 'x', 'f')).toEqual(['files']);
  });
  it('gives the configuration directory to the command', async () => {
    expect(await withNames('gateway', 'servers', 'edit', '--config-dir', '/x', '/')).toEqual([
      '/x',
    ]);
    expect(await withNames('gateway', 'servers', 'remove', '--c')).toEqual(['--config-dir']);
    expect(await withNames('gateway', 'presets', 'f')).toEqual([]);
  });
});

describe('gateway names', () => {
  it('prints the servers of a configuration directory whose names are plain', async () => {
    const directory = createTestConfigDirectory();
    for (const name of ['wiki', '$(id)', '-x', 'a b'])
      directory.write(`mcpservers/${name}.yaml`, '');
    expect(await runCommand(['names', 'files', '--config-dir', directory.path])).toEqual({
      code: 0,
      stdout: 'wiki\n',
      stderr: '',
    });
    directory.remove();
  });
  it('prints nothing without a gateway, and is not in the help', async () => {
    const url = ['--url', 'http://127.0.0.1:1/mcp'];
    expect(await runCommand(['names', 'tools', ...url])).toMatchObject({ code: 0, stdout: '' });
    expect((await runCommand(['--help'])).stdout).not.toContain('names');
  });
});

describe('completion in other shells', () => {
  it('contains every command of the tree', async () => {
    for (const shell of ['zsh', 'fish']) {
      const text = await script(shell);
      for (const path of ['gateway tools call', 'gateway servers restart', 'gateway events'])
        expect(text).toContain(path);
    }
  });
  it('quotes descriptions', async () => {
    expect(await script('zsh')).toContain(`'--expose:the meta-tools, or the servers'\\'' own`);
    expect(await script('fish')).toContain(`-d 'the meta-tools, or the servers\\' own`);
  });
  it('is refused for an unknown shell', async () => {
    expect(await runCommand(['completion', 'csh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
