import { configDirectory } from '@gateway/repo-checks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from './harness/cli.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway } from './harness/gateway.ts';

it('reports the servers of a running gateway that do not work', async () => {
  const directory = configDirectory();
  directory.server('works', { ...fixture('plain'), autoStart: true });
  directory.server('idle', { type: 'stdio', command: '/nowhere', autoStart: false });
  directory.server('broken', { type: 'stdio', command: '/nowhere', autoStart: true });
  const gateway = await startGateway(directory.path);
  onTestFinished(async () => {
    await gateway.stop();
    directory.remove();
  });
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
