import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface Answer {
  readonly result?: { readonly structuredContent?: { readonly meta?: unknown } };
}

/** Calls the tool `meta` of the server `plain`, which returns the `_meta` that it received. */
const metaAtServer = async (
  gateway: RunningGateway,
  headers: Record<string, string>,
  meta?: object,
): Promise<unknown> => {
  const params = {
    name: 'call_tool',
    arguments: { name: 'x_plain_meta' },
    ...(meta && { _meta: meta }),
  };
  const response = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await response.json()) as Answer).result?.structuredContent?.meta;
};

describe('the trace of a call', () => {
  let directory: ConfigDirectory;
  let gateway: RunningGateway;

  beforeAll(async () => {
    directory = createTestConfigDirectory();
    directory.server('plain', fixture('plain'));
    gateway = await startGateway(directory.path);
  });

  afterAll(async () => {
    await gateway.stop('SIGKILL');
    directory.remove();
  });

  it('reaches the server as _meta when it arrives as HTTP headers', async () => {
    const headers = { traceparent: TRACEPARENT, tracestate: 'vendor=1' };
    expect(await metaAtServer(gateway, headers, { k: 'v' })).toEqual({
      k: 'v',
      traceparent: TRACEPARENT,
      tracestate: 'vendor=1',
    });
  });
});
