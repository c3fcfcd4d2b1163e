import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from './harness/raw-http.ts';
import { startService, type StartedService } from './harness/started-service.ts';

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const TRANSPORTS = {
  rest: [
    '/api/v1/agents/validate',
    '{"name":"new","modelConfig":"small","toolset":["preset:none"]}',
  ],
  mcp: ['/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'],
} as const;

/** Returns the response to a body of this length, which is padded with blanks. */
const statusOf = async (transport: keyof typeof TRANSPORTS, bytes: number, length: object) => {
  const [path, json] = TRANSPORTS[transport];
  const { status } = await rawRequest(service.url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...length },
    body: json + ' '.repeat(bytes - json.length),
  });
  return status;
};

describe.each(['rest', 'mcp'] as const)('a body over %s', (transport) => {
  it.each([
    ['with its length', 1_048_576, 200, { 'content-length': '1048576' }],
    ['with its length', 1_048_577, 413, { 'content-length': '1048577' }],
    ['in chunks', 1_048_576, 200, { 'transfer-encoding': 'chunked' }],
    ['in chunks', 1_048_577, 413, { 'transfer-encoding': 'chunked' }],
  ])('%s of %i bytes is answered with %i', async (_how, bytes, status, length) => {
    expect(await statusOf(transport, bytes, length)).toBe(status);
  });
});
