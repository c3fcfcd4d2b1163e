import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const script = async (shell: string) => (await runCommand(['completion', shell])).stdout;

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
    expect(await completionsOf('gateway', 'serve', '--w')).toEqual(['--workers']);
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
