import { expect, it } from 'vitest';
import { fixture } from './harness/fixture.ts';
import { startGateway } from './harness/gateway.ts';
import { testDirectory } from './harness/lifetime.ts';
import { postMessage, rpcOf } from './harness/mcp-posts.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface Answer {
  readonly result?: { readonly structuredContent?: { readonly meta?: unknown } };
}

it('the trace of a call reaches the server as _meta when it arrives as HTTP headers', async () => {
  const directory = testDirectory();
  directory.server('plain', fixture('plain'));
  const { url } = await startGateway(directory.path);
  const call = { name: 'call_tool', arguments: { name: 'x_plain_meta' }, _meta: { k: 'v' } };
  const headers = { traceparent: TRACEPARENT, tracestate: 'vendor=1', accept: 'application/json' };
  const { text } = await postMessage(url, rpcOf('tools/call', call), { headers });
  expect((JSON.parse(text) as Answer).result?.structuredContent?.meta).toEqual({
    ...{ k: 'v', traceparent: TRACEPARENT, tracestate: 'vendor=1' },
  });
});
