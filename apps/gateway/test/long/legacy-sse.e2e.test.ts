import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
directory.server('plain', fixture('plain'));

/** Each message has its own connection. */
const unshared: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('connection', 'close');
  return fetch(url, { ...init, headers });
};

describe('a gateway', () => {
  it('serves a client of the transport of 2024-11-05 with --legacy-sse', async () => {
    const gateway = await startGateway(directory.path, { args: ['--legacy-sse'] });
    const headers = { 'X-Gateway-Toolset': 'server:plain' };
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the transport that is tested
    const transport = new SSEClientTransport(new URL('/sse', gateway.url), {
      requestInit: { headers },
      eventSourceInit: { fetch: unshared },
      fetch: unshared,
    });
    const client = new Client({ name: 'old', version: '1.0.0' });
    await client.connect(transport);
    for (let round = 0; round < 10; round += 1) {
      const { content } = await client.callTool({
        name: 'call_tool',
        arguments: { name: 'x_plain_pid', arguments: {} },
      });
      expect(JSON.stringify(content)).toMatch(/\d+/);
    }
    await client.close();
  });

  it('answers 404 without the flag', async () => {
    const gateway = await startGateway(directory.path);
    const response = await fetch(new URL('/sse', gateway.url));
    expect(response.status).toBe(404);
  });
});
