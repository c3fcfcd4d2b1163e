import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { runGateway } from '../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
const taken = createServer();
let port = '';

setUp(async () => {
  directory.server('plain', fixture('plain'));
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => taken.close());
  port = String((taken.address() as AddressInfo).port);
});

const serve = async (...args: readonly string[]) => {
  const { code, stderr } = await runGateway(['serve', '--config-dir', directory.path, ...args]);
  return { code, lines: stderr.map((line) => JSON.parse(line) as unknown) };
};

describe('a port that is in use', () => {
  it.each([
    [
      'the endpoint',
      () => ['--port', port, '--no-health-listener'],
      () =>
        `port ${port} of 127.0.0.1 is in use by another process: end that process, or choose another port with --port or http.port`,
    ],
    [
      'probes and metrics',
      () => ['--port', '0', '--health-port', port],
      () =>
        `no listener for health checks: listen EADDRINUSE: address already in use 127.0.0.1:${port}; change health.port (--health-port) or health.host, or use --no-health-listener`,
    ],
    [
      'the portal',
      () => ['--port', '0', '--no-health-listener', '--portal', port],
      () =>
        `port ${port} of 127.0.0.1 is in use by another process: end that process, or choose another port with --portal`,
    ],
  ])('ends the start before a server is started: %s', async (_what, args, msg) => {
    const { code, lines } = await serve(...args());
    expect(code).toBe(1);
    // A server that was started would have a line for each of its states.
    expect(lines).toMatchObject([
      { level: 'fatal', msg: msg() },
      { level: 'info', msg: 'stopped' },
    ]);
  });
});

// `packages/gateway-config/test/port-clash.test.ts` has the other pairs.
it('one port for the endpoint and probes ends the start before a server is started', async () => {
  const { code, lines } = await serve('--port', '18464', '--health-port', '18464');
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    {
      level: 'fatal',
      msg: '--port or http.port and --health-port or health.port are both 18464: choose another port for one of them',
    },
    { level: 'info', msg: 'stopped' },
  ]);
});
