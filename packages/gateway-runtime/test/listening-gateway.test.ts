import { afterAll, beforeAll, expect, it } from 'vitest';
import { listenGateway, type ListeningGateway } from '../src/http/listening-gateway.ts';
import { pino } from 'pino';
import { openConfiguration } from '@gateway/gateway-config';
import { createTestConfigDirectory } from '@gateway/repo-checks';

const directory = createTestConfigDirectory();
let gateway: ListeningGateway;

const listen = async (): Promise<ListeningGateway> => {
  const opened = await openConfiguration(directory.path);
  if (!opened.ok) throw new Error('The configuration is refused.');
  return listenGateway({
    ...opened,
    address: { host: '127.0.0.1', port: 0 },
    expose: 'meta',
    coreToolWrites: 'all',
    logger: pino({ level: 'silent' }),
  });
};

beforeAll(async () => {
  directory.config({ http: { listTtlSeconds: 60, maxBodyBytes: 1024 } });
  gateway = await listen();
});

afterAll(async () => {
  await gateway.drain(0);
  await gateway.close();
  directory.remove();
});

const PREFIX = 'io.modelcontextprotocol';

/** Requests the tools as a client of 2026-07-28; `filler` makes the request longer. */
const listTools = (filler: string): Promise<Response> =>
  fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          [`${PREFIX}/protocolVersion`]: '2026-07-28',
          [`${PREFIX}/clientCapabilities`]: {},
          filler,
        },
      },
    }),
  });

it('sends clients of 2026-07-28 the time for which they may cache a list', async () => {
  const response = await listTools('');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ result: { ttlMs: 60_000, cacheScope: 'private' } });
});

it('refuses a body over http.maxBodyBytes', async () => {
  const { status } = await listTools('x'.repeat(1024));
  expect(status).toBe(413);
});

it('does not listen any more when it is closed without a drain', async () => {
  const other = await listen();
  const url = new URL('/healthz', other.url);
  expect((await fetch(url)).status).toBe(200);
  await other.close();
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
