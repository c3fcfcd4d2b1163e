import { describe, expect, it } from 'vitest';
import { findSimilarName } from '../src/actions/names.ts';
import { runCommand } from './run-command.ts';

describe('a wrong command', () => {
  it('is named with the similar one, also below servers', async () => {
    const { code, stderr } = await runCommand(['servers', 'ad', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command 'ad'");
    expect(stderr).toContain('Did you mean add?');
  });

  it('is not an option of the default command', async () => {
    const { code, stdout } = await runCommand(['servers', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: gateway servers [options] [command]');
  });
});

describe('the similar name', () => {
  it.each([
    ['x_slw_env', ['x_fast_env', 'x_slow_env'], 'x_slow_env'],
    ['npe', ['files', 'npx'], 'npx'],
    ['Files', ['files'], 'files'],
    ['dmeo', ['kin-a', 'demo'], 'demo'],
    ['npe', ['files', 'memory'], undefined],
    ['', ['ab'], undefined],
    ['files', ['files', 'filet'], undefined],
    ['a'.repeat(300), ['a'.repeat(299)], undefined],
  ])('of %s among %j is %s', (name, names, similar) => {
    expect(findSimilarName(name, names)).toBe(similar);
  });
});
