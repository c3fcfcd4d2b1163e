import { retryAssertion } from '@gateway/repo-checks';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../../harness/lifetime.ts';
import { rawCall, rawRequest, rawSession } from '../../harness/raw-http.ts';

/** More than the connections of a gateway. */
const STREAMS = 2_200;
const BATCH = 50;

const directory = testDirectory();
let gateway: RunningGateway;
const sockets: Socket[] = [];

setUp(async () => {
  directory.config({ http: { maxSessions: 500 } });
  gateway = await startGateway(directory.path, { args: ['--health-port', '0'] });
  atEnd(() => sockets.splice(0).map((socket) => socket.destroy()));
});

const healthUrl = (): URL => {
  const line = gateway.logs().find(({ msg }) => msg === 'listening');
  return new URL(String(line?.['health']));
};

/** Opens a connection from a loopback address, sends a request on it and does not close it. */
async function openFrom(localAddress: string, head: readonly string[]): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(gateway.url.port), localAddress });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Opens event streams of a few sessions, from one of the addresses each. */
async function flood(addressOf: (at: number) => string): Promise<void> {
  for (let at = 0; at < STREAMS; at += BATCH) {
    const session = await rawSession(gateway.url);
    const head = ['GET /mcp HTTP/1.1', 'Host: localhost', `Mcp-Session-Id: ${session}`];
    const opened = Array.from({ length: BATCH }, (_, offset) =>
      openFrom(addressOf(at + offset), [...head, 'Accept: text/event-stream']),
    );
    await Promise.all(opened);
  }
}

const closeAll = async (): Promise<void> => {
  const open = sockets.splice(0);
  for (const socket of open) socket.destroy();
  await retryAssertion(() => {
    expect(open.every(({ closed }) => closed)).toBe(true);
  });
};

const callFromOwnConnection = () =>
  rawCall(gateway.url, { name: 'filter_tools', arguments: { pattern: 'core_*' } });

/** The status of probes, of metrics and of a call of another caller while the connections are open. */
async function served(): Promise<readonly unknown[]> {
  const statusOf = async (url: URL, path: string) =>
    (await rawRequest(url, { path, method: 'GET' })).status;
  return [
    await statusOf(healthUrl(), '/healthz'),
    await statusOf(healthUrl(), '/readyz'),
    await statusOf(healthUrl(), '/metrics'),
    await statusOf(gateway.url, '/healthz'),
    (await callFromOwnConnection()).isError,
  ];
}

describe('2,200 idle streams', () => {
  it('of one address leave health checks and another caller served', async () => {
    await flood(() => '127.0.0.2');
    expect(await served()).toEqual([200, 200, 200, 200, false]);
    await closeAll();
  });
});

describe('2,200 connections', () => {
  it('that send nothing leave health checks and another caller served', async () => {
    for (let at = 0; at < STREAMS; at += BATCH) {
      const opened = Array.from({ length: BATCH }, () => openFrom('127.0.0.3', ['POST /mcp']));
      await Promise.all(opened);
    }
    expect(await served()).toEqual([200, 200, 200, 200, false]);
    await closeAll();
  });
});
