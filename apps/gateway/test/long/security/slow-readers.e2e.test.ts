import { retryAssertion } from '@gateway/repo-checks';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../../harness/lifetime.ts';
import { rawCall, rawRequest } from '../../harness/raw-http.ts';
import { fixture } from '../../harness/fixture.ts';
import { toolCallOf } from '../../harness/mcp-posts.ts';

const MIB = 1024 * 1024;
const READERS = 60;

const directory = testDirectory();
let gateway: RunningGateway;
const sockets: Socket[] = [];

setUp(async () => {
  directory.config({ http: { maxUnreadAnswerBytes: 64 * MIB } });
  directory.server('large', fixture('large', { args: [String(5 * MIB)] }));
  gateway = await startGateway(directory.path);
  atEnd(() => sockets.map((socket) => socket.destroy()));
});

const residentMib = (): number => {
  const status = readFileSync(`/proc/${String(gateway.child.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
};

const BODY = JSON.stringify(toolCallOf('x_large_read'));

/** Requests an answer of 5 MB and does not read it. */
async function leaveUnread(): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(gateway.url.port) });
  sockets.push(socket.on('error', () => undefined).pause());
  await once(socket, 'connect');
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${String(BODY.length)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY}`);
}

const answered = async (): Promise<number> => {
  const { body } = await rawRequest(gateway.url, { path: '/metrics', method: 'GET' });
  const lines = body
    .split('\n')
    .filter((line) => line.startsWith('gateway_server_requests_total{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

it('60 readers that leave answers of 5 MB unread keep the memory bounded, and calls are served', async () => {
  const call = { name: 'call_tool', arguments: { name: 'x_large_read', arguments: {} } };
  // The first answers also grow the heap that later ones use.
  for (let at = 0; at < 5; at += 1) await rawCall(gateway.url, call);
  const [before, calls] = [residentMib(), await answered()];
  let most = before;
  for (let at = 0; at < READERS; at += 1) {
    await leaveUnread();
    await retryAssertion(async () => {
      most = Math.max(most, residentMib());
      expect(await answered()).toBeGreaterThan(calls + at);
    });
  }
  // 64 MiB of unread answers, and the garbage of 60 answers.
  expect(most - before).toBeLessThan(250);
  const answer = await rawCall(gateway.url, { name: 'filter_tools', arguments: {} });
  expect(answer.isError).toBe(false);
});
