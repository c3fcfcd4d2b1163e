import { findFreePort } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { runGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

it('gateway doctor --all starts every server once, and shows no secret', async () => {
  const directory = testDirectory();
  directory.config({ http: { port: await findFreePort() } });
  const env = { TOKEN: 'canary-4711' };
  const failing = 'console.error("no access with " + process.env.TOKEN); process.exit(3)';
  directory.server('good', fixture('plain'));
  directory.server('crashes', { type: 'stdio', command: 'node', args: ['-e', failing], env });
  directory.server('gone', { type: 'stdio', command: 'no-such-program-here' });
  for (const name of ['a', 'b', 'c'].map((letter) => `more-${letter}`))
    directory.server(name, { ...fixture('plain'), autoStart: false });
  const { code, stdout } = await runGateway(['doctor', '--all', '--config-dir', directory.path]);
  directory.remove();
  expect(code).toBe(1);
  const text = stdout.join('\n');
  expect(text).toMatch(
    /^ok {7}server good: \/.*node, started in \d+\.\d s, protocol 20\S+, .* 8 tools$/mu,
  );
  expect(text).toMatch(/^problem {2}server gone: .*no-such-program-here/mu);
  expect(text).toMatch(/^problem {2}server crashes: .*no access with/mu);
  expect(text.match(/^ok {7}server more-/gmu)).toHaveLength(3);
  expect(text).not.toContain('canary-4711');
  expect(stdout.at(-1)).toBe('2 problems');
});
