import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { fixture } from './harness/fixture.ts';
import { CLI, runGateway } from './harness/gateway.ts';
import { INITIALIZE } from './harness/initialize-message.ts';
import { testDirectory } from './harness/lifetime.ts';
import { descendantsOf, isRunning } from './harness/living-process.ts';
import { startNode, type RunningProcess } from './harness/process.ts';

const directory = testDirectory();
directory.server('one', fixture('plain', { env: { CHATTER: 'a word on standard error' } }));

interface Speaker {
  readonly gateway: RunningProcess;
  readonly say: (message: object) => void;
  /** The processes that the gateway started, once its server runs. */
  readonly family: readonly number[];
}

async function speaker(): Promise<Speaker> {
  const gateway = startNode([CLI, 'stdio', '--config-dir', directory.path, '--log-level', 'debug']);
  const say = (message: object): void => {
    gateway.child.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  say(INITIALIZE);
  await gateway.line((line) => line.includes('"serverInfo"'));
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await gateway.line((line) => line.includes('"state":"Running"'));
  const family = descendantsOf(gateway.child.pid ?? 0);
  expect(family.length).toBeGreaterThan(0);
  return { gateway, say, family };
}

const allGone = (family: readonly number[]) =>
  retryAssertion(() => {
    expect(family.filter(isRunning)).toEqual([]);
  });

describe('gateway stdio', () => {
  it('writes only MCP messages to stdout, one per line, and its log to stderr', async () => {
    const { gateway, say } = await speaker();
    const call = {
      name: 'call_tool',
      arguments: { name: 'x_one_echo', arguments: { text: 'é\n"' } },
    };
    say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    await gateway.line((line) => line.includes('"id":2'));
    expect((await gateway.stop()).code).toBe(0);
    expect(gateway.stdout.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'gateway', version: '5.13.0' } } },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'é\n"' }] } },
    ]);
    expect(gateway.stderr.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ server: 'one', msg: 'server.stderr' }),
    );
  });

  it('delays the first call until the start of the servers was attempted', async () => {
    const gateway = startNode([CLI, 'stdio', '--config-dir', directory.path]);
    const call = { name: 'list_tools', arguments: {} };
    const messages = [
      INITIALIZE,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    ];
    for (const message of messages) gateway.child.stdin?.write(`${JSON.stringify(message)}\n`);
    expect(await gateway.line((line) => line.includes('"id":2'))).toContain('x_one_echo');
    expect((await gateway.stop()).code).toBe(0);
  });

  it('ends with 0 when the client closes its end, and leaves no process', async () => {
    const { gateway, family } = await speaker();
    gateway.child.stdin?.end();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    await allGone(family);
  });

  it('ends with 0 on SIGTERM and leaves no process', async () => {
    const { gateway, family } = await speaker();
    expect(await gateway.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await allGone(family);
  });

  it('leaves no process when it is killed', async () => {
    const { gateway, family } = await speaker();
    await gateway.stop('SIGKILL');
    await allGone(family);
  });

  it('refuses a bad configuration with exit code 2, on stderr', async () => {
    const bad = testDirectory();
    bad.config({ toolsetPresets: { none: { include: [] } } });
    const { code, stdout, stderr } = await runGateway(['stdio', '--config-dir', bad.path]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: [],
      stderr: [
        `${bad.path}/config.yaml:2:3: toolsetPresets: preset "none" is built in and cannot be redefined`,
      ],
    });
  });
});
