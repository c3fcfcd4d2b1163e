import { expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from './harness/cli.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway } from './harness/gateway.ts';
import { testDirectory } from './harness/lifetime.ts';

it('reports the servers of a running gateway that do not work', async () => {
  const directory = testDirectory();
  directory.server('works', { ...fixture('plain'), autoStart: true });
  directory.server('idle', { type: 'stdio', command: '/nowhere', autoStart: false });
  directory.server('broken', { type: 'stdio', command: '/nowhere', autoStart: true });
  const gateway = await startGateway(directory.path);
  const command = ['diagnose', '--config-dir', directory.path, '--url', gateway.url.href];
  const diagnose = async () => {
    const { code, stdout } = await runCommand([...command, '--output', 'json']);
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { verdict: string }[] };
    return checks.filter(({ verdict }) => verdict !== 'ok');
  };
  // The start of a server may fail after the gateway listens.
  expect(await vi.waitFor(diagnose, { timeout: 60_000 })).toEqual([
    {
      ...{ area: 'server', code: 'server-failed', verdict: 'problem', subject: 'broken' },
      message: expect.stringMatching(/^is Failed: .*\/nowhere/u) as unknown,
      remedy: 'Correct its definition or the server, then: gateway servers restart broken',
    },
  ]);
});

it('tells the gateway of another directory from its own, and reports it only where --url names it', async () => {
  const [served, other] = [testDirectory(), testDirectory()];
  other.server('files', { type: 'stdio', command: '/nowhere', autoStart: true });
  const gateway = await startGateway(served.path);
  vi.stubEnv('GATEWAY_URL', gateway.url.href);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const diagnose = (...args: readonly string[]) =>
    runCommand(['diagnose', '--config-dir', other.path, ...args]);
  const { href } = new URL('/mcp', gateway.url);
  const message = `server: The gateway at ${href} serves another configuration: it does not have files.\n`;
  const noted = await diagnose();
  expect([noted.code, noted.stdout]).toEqual([0, expect.stringContaining(`note     ${message}`)]);
  const reported = await diagnose('--url', gateway.url.href);
  expect([reported.code, reported.stdout]).toEqual([
    1,
    expect.stringContaining(`problem  ${message}`),
  ]);
});
