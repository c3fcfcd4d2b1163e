import { expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import { connectionSuite } from './connection.suite.ts';
import { resultOf, testDownstream } from './harness/downstream.ts';
import { useEverythingServer } from './harness/everything.ts';
import { defineServer, referenceServer, stdioFixture } from './harness/servers.ts';

const requirement = defineRequirements(requirements);

requirement('2.6/run-stdio', () => {
  connectionSuite(
    'stdio',
    (name) =>
      defineServer(name, {
        type: 'stdio',
        command: process.execPath,
        args: [referenceServer('everything'), 'stdio'],
      }),
    { live: 'Running', stopped: 'Stopped' },
  );

  it('serves the other reference servers', async () => {
    const { downstream } = testDownstream();
    const run = (name: 'memory' | 'filesystem', ...args: readonly string[]) =>
      defineServer(name, {
        type: 'stdio',
        command: process.execPath,
        args: [referenceServer(name), ...args],
      });
    downstream.apply([run('memory'), run('filesystem', import.meta.dirname)]);
    await downstream.settled();
    expect(downstream.servers()).toMatchObject([{ state: 'Running' }, { state: 'Running' }]);
    const listed = await downstream.callTool({
      server: 'filesystem',
      tool: 'list_directory',
      arguments: { path: import.meta.dirname },
    });
    expect(JSON.stringify(resultOf(listed))).toContain('connection.test.ts');
  });

  it('has no shell between command and args', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('raw', 'raw-stdio.mjs', ['--$(exit 1)', '; exit 1'])]);
    await downstream.settled();
    expect(downstream.servers()).toMatchObject([{ state: 'Running' }]);
  });
});

requirement('2.6/run-remote', () => {
  const http = useEverythingServer('streamableHttp');
  connectionSuite(
    'Streamable HTTP',
    (name) => defineServer(name, { type: 'streamable-http', url: http.url() }),
    { live: 'Connected', stopped: 'Disconnected' },
  );
  const sse = useEverythingServer('sse');
  connectionSuite('SSE', (name) => defineServer(name, { type: 'sse', url: sse.url() }), {
    live: 'Connected',
    stopped: 'Disconnected',
  });
});

requirement('2.6/run-env', () => {
  it("reaches a stdio child, over a short list of the gateway's own", async () => {
    process.env['GATEWAY_TEST_SECRET'] = 'not for children';
    const { downstream } = testDownstream();
    downstream.apply([
      stdioFixture('raw', 'raw-stdio.mjs', [], { env: { LANG: 'xx', EXTRA: 'one' } }),
    ]);
    await downstream.settled();
    const env = resultOf(await downstream.callTool({ server: 'raw', tool: 'env' }))['env'];
    expect(env).toMatchObject({ LANG: 'xx', EXTRA: 'one', PATH: process.env['PATH'] });
    expect(env).not.toHaveProperty('GATEWAY_TEST_SECRET');
  });
});
