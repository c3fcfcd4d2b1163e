import { request } from 'undici';
import { expect, it } from 'vitest';
import { startHttpEndpoint } from './endpoint.ts';
import { createMcpHttp, serveHttp } from '../src/index.ts';
import { sampleService } from './sample-service.ts';
import { post, rpc } from './wire-client.ts';

const sessionOf = async (url: string): Promise<Record<string, string>> => {
  const params = { protocolVersion: '2025-06-18', capabilities: {} };
  const answer = await post(url, rpc('initialize', params));
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
};

it('ends streams with the advice to reconnect within a second', async () => {
  const endpoint = await startHttpEndpoint();
  const headers = { ...(await sessionOf(endpoint.url)), accept: 'text/event-stream' };
  const stream = await request(endpoint.url, { headers });
  const drained = endpoint.drain(5_000);
  const text = await stream.body.text();
  await drained;
  const [, retryMs] = /retry: (\d+)\n\n$/.exec(text) ?? [];
  expect(Number(retryMs)).toBeGreaterThanOrEqual(200);
  expect(Number(retryMs)).toBeLessThanOrEqual(1_000);
});

it('closes each connection after its next answer once it retires, and serves', async () => {
  const mcp = createMcpHttp(sampleService().service);
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  const url = `${serving.url}/mcp`;
  const before = await post(url, rpc('ping'));
  serving.retire();
  const after = await post(url, rpc('ping'));
  expect([before.status, before.headers['connection']]).toEqual([200, 'keep-alive']);
  expect([after.status, after.headers['connection']]).toEqual([200, 'close']);
  await serving.drain(1_000);
});
