import { createTestConfigDirectory } from '@gateway/repo-checks';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { runGateway } from '../harness/gateway.ts';

const directory = createTestConfigDirectory();
const taken = createServer();
let port = '';

beforeAll(async () => {
  directory.server('plain', fixture('plain'));
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  port = String((taken.address() as AddressInfo).port);
});

afterAll(() => {
  taken.close();
  directory.remove();
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

describe('one port for two addresses of a gateway', () => {
  it.each([
    [
      'the endpoint and probes',
      () => ['--port', '18464', '--health-port', '18464'],
      '--port or http.port and --health-port or health.port are both 18464',
    ],
    [
      'the endpoint, with the default port of probes',
      () => ['--port', '9464'],
      '--port or http.port and --health-port or health.port are both 9464',
    ],
    [
      'probes and the portal, with probes on every host',
      () => ['--port', '0', '--host', '0.0.0.0', '--health-port', '18464', '--portal', '18464'],
      '--health-port or health.port and --portal are both 18464',
    ],
  ])('ends the start before a server is started: %s', async (_what, args, problem) => {
    const { code, lines } = await serve(...args());
    expect(code).toBe(1);
    expect(lines).toMatchObject([
      { level: 'fatal', msg: `${problem}: choose another port for one of them` },
      { level: 'info', msg: 'stopped' },
    ]);
  });
});
