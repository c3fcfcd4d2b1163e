import { ANONYMOUS } from '@gateway/call-contract';
import type { McpService, RequestContext } from '@gateway/mcp-http';
import { describe, expect, it } from 'vitest';
import { createGatewayService } from '../src/calls/gateway-service.ts';

const service: McpService = {
  info: { name: 'gateway', version: '1' },
  capabilities: { tools: {} },
  list: () => ({ ok: true, items: [] }),
  call: () => ({ ok: true, result: { content: [] } }),
};

const contextOf = (expose?: string): RequestContext => ({
  principal: ANONYMOUS,
  sessionId: undefined,
  header: (name) => (name === 'x-gateway-expose' && expose !== undefined ? [expose] : undefined),
});

describe('a subscription at a gateway in native mode', () => {
  const subscribed: string[] = [];
  const native: McpService = {
    ...service,
    subscribe: (uri) => {
      subscribed.push(uri);
      return Promise.resolve({ ok: true, end: () => undefined });
    },
  };
  const gateway = createGatewayService({
    exposures: {
      meta: { service, timers: new Map() },
      native: { service: native, timers: new Map() },
    },
    authStatus: {
      isUsed: () => false,
      read: () => Promise.resolve({ servers: [] }),
      reachableTools: () => '',
      onChange: () => () => undefined,
    },
    ...{ trail: undefined, downstream: { endClient: () => undefined } },
    ...{ started: Promise.resolve(), writeRefusal: () => undefined },
  });
  const subscribe = (uri: string, expose?: string) =>
    gateway.subscribe?.(uri, () => undefined, contextOf(expose));

  it.each([undefined, 'native', 'other'])('reaches the server under %s', async (expose) => {
    expect(await subscribe('file:///readme', expose)).toMatchObject({ ok: true });
    expect(subscribed.splice(0)).toEqual(['file:///readme']);
  });

  it('is refused for a request that chooses the meta-tools, which have no resources of servers', async () => {
    expect(await subscribe('file:///readme', 'meta')).toEqual({
      ok: false,
      error: { code: -32602, message: 'Resource not found: file:///readme' },
    });
    expect(subscribed).toEqual([]);
    expect(await subscribe('auth://status', 'meta')).toMatchObject({ ok: true });
  });
});
