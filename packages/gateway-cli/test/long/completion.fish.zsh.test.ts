import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';

/** In the place of the gateway: prints names of servers, one of which a shell would run, and the words after `names` for other kinds. */
const GATEWAY = `#!/bin/sh
[ "$1" = names ] || exit 1
shift
case "$1" in
servers) printf '%s\\n' files 'x$(touch ran)' ;;
tool-arguments) printf '%s=\\n' "$2" ;;
*) IFS=+; printf '%s\\n' "$*" ;;
esac
`;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-completion-'));
  writeFileSync(join(folder, 'gateway'), GATEWAY);
  chmodSync(join(folder, 'gateway'), 0o755);
  for (const shell of ['zsh', 'fish'])
    writeFileSync(join(folder, shell), (await runCommand(['completion', shell])).stdout);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: folder,
    env: { ...process.env, HOME: folder, PATH: folder + delimiter + (process.env['PATH'] ?? '') },
    encoding: 'utf8',
  });

const formatLines = (text: string): readonly string[] =>
  [...new Set(text.split('\n'))].filter((line) => line !== '').sort();

const SHELLS = {
  zsh: (line: string) => {
    const [program, out] = [
      join(import.meta.dirname, 'fixtures/completions.zsh'),
      join(folder, 'out'),
    ];
    writeFileSync(out, '');
    run('zsh', '-f', program, join(folder, 'zsh'), line, out);
    return formatLines(readFileSync(out, 'utf8'));
  },
  fish: (line: string) => {
    const script = 'source $argv[1]; complete -C $argv[2]';
    const shown = run('fish', '--no-config', '-c', script, join(folder, 'fish'), line);
    return formatLines(shown.replaceAll(/\t.*$/gmu, ''));
  },
};

describe.each(['zsh', 'fish'] as const)('completion in %s', (shell) => {
  const offered = SHELLS[shell];

  it('offers commands, then subcommands and options', () => {
    expect(offered('gateway serv')).toEqual(['serve', 'servers']);
    expect(offered('gateway servers re')).toEqual(['remove', 'restart']);
    expect(offered('gateway tools list --o')).toEqual(['--output']);
    expect(offered('gateway nothing-like-this')).toEqual([]);
  });

  it('offers the values of options and arguments', () => {
    expect(offered('gateway tools list --output ')).toEqual(['json', 'text']);
    expect(offered('gateway export claude')).toEqual(['claude-code', 'claude-desktop']);
    expect(offered('gateway serve --host ')).toEqual([]);
  });

  it('asks the gateway for names, and runs none of them', () => {
    expect(offered('gateway servers get f')).toEqual(['files']);
    expect(offered('gateway servers get x')).toHaveLength(1);
    expect(offered('gateway tools call x_read x')).toEqual(['x_read=']);
    expect(offered('gateway servers remove --config-dir /etc f')).toEqual([
      'files+--config-dir+/etc',
    ]);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
