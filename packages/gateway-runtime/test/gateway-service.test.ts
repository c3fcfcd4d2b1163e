import { ANONYMOUS, type JsonObject, type Principal } from '@gateway/call-contract';
import type { McpService, RequestContext } from '@gateway/mcp-http';
import { AuditTrail } from '../src/audit/audit-trail.ts';
import { describe, expect, it } from 'vitest';
import { createGatewayService } from '../src/calls/gateway-service.ts';
import { type AuthStatusSource, createGatewayResources } from '../src/calls/auth-status-stage.ts';

const ADA: Principal = { key: 'ada', subject: 'ada' };
const BEN: Principal = { key: 'ben', subject: 'ben' };

const contextOf = (principal: Principal, expose?: string): RequestContext => ({
  principal,
  sessionId: undefined,
  header: (name) => (name === 'x-gateway-expose' && expose !== undefined ? [expose] : undefined),
});

const callContextOf = (principal: Principal) =>
  ({
    ...contextOf(principal),
    signal: new AbortController().signal,
  }) as unknown as Parameters<McpService['call']>[1];

const items: readonly JsonObject[] = [{ uri: 'file:///readme' }];

/** A service with tools only, as the one of the meta-tools. */
const tools: McpService = {
  info: { name: 'gateway', version: '1' },
  capabilities: { tools: {} },
  list: () => ({ ok: true, items: [] }),
  call: () => ({ ok: true, result: { content: [] } }),
};

const native: McpService = {
  ...tools,
  capabilities: { tools: {}, resources: { listChanged: true } },
  list: (method) => ({ ok: true, items: method === 'resources/list' ? items : [] }),
};

const createService = (authStatus: AuthStatusSource, meta: McpService, other?: McpService) =>
  createGatewayService({
    exposures: {
      meta: { service: meta, timers: new Map() },
      ...(other !== undefined && { native: { service: other, timers: new Map() } }),
    },
    authStatus,
    trail: new AuditTrail({ count: () => undefined }),
    downstream: { endClient: () => undefined },
    keptResults: { endClient: () => undefined },
    started: Promise.resolve(),
    writeRefusal: () => undefined,
  });

/** Sign-ins of users, whose states a test sets. */
const createSource = (isUsed = true) => {
  const states = new Map<string, string>();
  const listeners = new Set<(changedFor: 'all' | ReadonlySet<string>) => void>();
  const source: AuthStatusSource = {
    isUsed: () => isUsed,
    read: ({ key }) =>
      Promise.resolve({ servers: [{ name: 'wiki', status: states.get(key) ?? 'auth_required' }] }),
    reachableTools: ({ key }) => states.get(key) ?? '',
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const change = async (changedFor: 'all' | ReadonlySet<string>): Promise<void> => {
    for (const listener of listeners) listener(changedFor);
    await new Promise(setImmediate);
  };
  return { ...source, states, change };
};

const URI = 'auth://status';
const READ = { method: 'resources/read', params: { uri: URI } } as const;
const README = { method: 'resources/read', params: { uri: 'file:///readme' } } as const;
const text = '{"servers":[{"name":"wiki","status":"auth_required"}]}';
const CONTENTS = [{ uri: URI, mimeType: 'application/json', text }];
const ANSWERED = { ok: true, result: { content: [] } };

describe('auth://status', () => {
  it('is listed with the resources of the servers, in the same array while these do not change', () => {
    const service = createService(createSource(), native);
    const listed = service.list('resources/list', contextOf(ADA));
    const own = { uri: URI, mimeType: 'application/json' };
    expect(listed).toMatchObject({ ok: true, items: [...items, own] });
    const again = service.list('resources/list', contextOf(BEN));
    expect(again.ok && listed.ok && again.items === listed.items).toBe(true);
    const resources = { listChanged: true, subscribe: true };
    expect(service.capabilities).toEqual({ tools: { listChanged: true }, resources });
  });

  it('is listed and read with the meta-tools too', async () => {
    const service = createService(createSource(), tools);
    const resources = { subscribe: true };
    expect(service.capabilities).toEqual({ tools: { listChanged: true }, resources });
    const listed = service.list('resources/list', contextOf(ADA));
    expect(listed).toMatchObject({ items: [{ uri: URI }] });
    const templates = service.list('resources/templates/list', contextOf(ADA));
    expect(templates).toEqual({ ok: true, items: [] });
    const ports = createGatewayResources(createSource());
    expect(ports.gatewayResources()).toMatchObject([{ uri: URI }]);
    expect(ports.gatewayResources()).toBe(ports.gatewayResources());
    expect(await ports.readGatewayResource(URI, callContextOf(ADA))).toEqual(CONTENTS);
  });

  it('is not listed where no server signs users in', () => {
    const service = createService(createSource(false), native);
    expect(service.capabilities).toBe(native.capabilities);
    expect(service.list('resources/list', contextOf(ADA))).toEqual({ ok: true, items });
    expect(createGatewayResources(createSource(false)).gatewayResources()).toEqual([]);
  });

  it('shows the caller their own sign-ins', async () => {
    const source = createSource();
    source.states.set('ben', 'connected');
    const service = createService(source, native);
    const own = { ok: true, result: { contents: CONTENTS } };
    expect(await service.call(READ, callContextOf(ADA))).toEqual(own);
    expect(JSON.stringify(await service.call(READ, callContextOf(BEN)))).toContain('connected');
  });

  it('leaves other resources, and a tool of a server with the name of a meta-tool, to the servers', async () => {
    const service = createService(createSource(), native);
    const params = { name: 'get_resource', arguments: { uri: URI } };
    const tool = { method: 'tools/call', params } as const;
    expect(await service.call(tool, callContextOf(ADA))).toEqual(ANSWERED);
    expect(await service.call(README, callContextOf(ADA))).toEqual(ANSWERED);
    const error = { message: 'Resource not found: file:///readme' };
    const followed = await service.subscribe?.('file:///readme', () => undefined, contextOf(ADA));
    expect(followed).toMatchObject({ ok: false, error });
  });

  it('reports updates of the sign-ins of the caller', async () => {
    const source = createSource();
    const service = createService(source, native);
    const updates: JsonObject[] = [];
    const note = (params: JsonObject): void => void updates.push(params);
    const followed = await service.subscribe?.(URI, note, contextOf(ADA));
    await source.change('all');
    source.states.set('ben', 'connected');
    await source.change(new Set(['ben']));
    expect(updates).toEqual([]);
    source.states.set('ada', 'connected');
    await source.change(new Set(['ada']));
    expect(updates).toEqual([{ uri: URI }]);
    if (followed?.ok === true) followed.end();
    source.states.set('ada', 'reauth_required');
    await source.change(new Set(['ada']));
    expect(updates).toHaveLength(1);
  });

  it('refuses requests whose toolset is refused', async () => {
    const error = { code: -32_602, message: 'toolset [] is empty' };
    const service = createService(createSource(), { ...native, refuseHeaders: () => error });
    expect(await service.call(READ, callContextOf(ADA))).toEqual({ ok: false, error });
    expect(service.list('resources/list', contextOf(ADA))).toEqual({ ok: false, error });
  });
});

describe('a subscription at a gateway in native mode', () => {
  const subscribed: string[] = [];
  const subscribe: McpService['subscribe'] = (uri) => {
    subscribed.push(uri);
    return Promise.resolve({ ok: true, end: () => undefined });
  };
  const gateway = createService(createSource(false), tools, { ...tools, subscribe });
  const follow = (uri: string, expose?: string) =>
    gateway.subscribe?.(uri, () => undefined, contextOf(ANONYMOUS, expose));

  it.each([undefined, 'native', 'other'])('reaches the server under %s', async (expose) => {
    expect(await follow('file:///readme', expose)).toMatchObject({ ok: true });
    expect(subscribed.splice(0)).toEqual(['file:///readme']);
  });

  it('is refused for a request that chooses the meta-tools, which have no resources of servers', async () => {
    const error = { code: -32602, message: 'Resource not found: file:///readme' };
    expect(await follow('file:///readme', 'meta')).toEqual({ ok: false, error });
    expect(subscribed).toEqual([]);
    expect(await follow(URI, 'meta')).toMatchObject({ ok: true });
  });
});
