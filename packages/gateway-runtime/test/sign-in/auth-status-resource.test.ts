import type { JsonObject, Principal } from '@gateway/call-contract';
import type { McpService } from '@gateway/mcp-http';
import { describe, expect, it } from 'vitest';
import { createGatewayService } from '../../src/calls/gateway-service.ts';
import {
  type AuthStatusSource,
  createGatewayResources,
} from '../../src/calls/auth-status-stage.ts';

const ADA: Principal = { key: 'ada', subject: 'ada' };
const BEN: Principal = { key: 'ben', subject: 'ben' };

const contextOf = (principal: Principal) => ({
  principal,
  sessionId: undefined,
  header: () => undefined,
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

/** The service of a gateway with this exposure. */
const serviceWith = (service: McpService, authStatus: AuthStatusSource): McpService =>
  createGatewayService({
    exposures: { meta: { service, timers: new Map() } },
    ...{ authStatus, trail: undefined, downstream: { endClient: () => undefined } },
    ...{ started: Promise.resolve(), writeRefusal: () => undefined },
  });

interface Harness extends AuthStatusSource {
  readonly states: Map<string, string>;
  readonly change: (changedFor: 'all' | ReadonlySet<string>) => void;
}

const sourceOf = (isUsed = true): Harness => {
  const states = new Map<string, string>();
  const listeners = new Set<(changedFor: 'all' | ReadonlySet<string>) => void>();
  return {
    states,
    change: (changedFor) => {
      for (const listener of listeners) listener(changedFor);
    },
    isUsed: () => isUsed,
    read: ({ key }) =>
      Promise.resolve({
        servers: [{ name: 'wiki', status: states.get(key) ?? 'auth_required' }],
      }),
    reachableTools: ({ key }) => states.get(key) ?? '',
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const CONTENTS = [
  {
    uri: 'auth://status',
    mimeType: 'application/json',
    text: '{"servers":[{"name":"wiki","status":"auth_required"}]}',
  },
];

describe('auth://status', () => {
  it('is listed with the resources of the servers, in the same array while these do not change', () => {
    const service = serviceWith(native, sourceOf());
    const listed = service.list('resources/list', contextOf(ADA));
    expect(listed).toMatchObject({
      ok: true,
      items: [{ uri: 'file:///readme' }, { uri: 'auth://status', mimeType: 'application/json' }],
    });
    const again = service.list('resources/list', contextOf(BEN));
    expect(again.ok && listed.ok && again.items === listed.items).toBe(true);
    expect(service.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  });

  it('is listed with the meta-tools too', () => {
    const service = serviceWith(tools, sourceOf());
    expect(service.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true },
    });
    expect(service.list('resources/list', contextOf(ADA))).toMatchObject({
      items: [{ uri: 'auth://status' }],
    });
    expect(service.list('resources/templates/list', contextOf(ADA))).toEqual({
      ok: true,
      items: [],
    });
  });

  it('is not listed where no server signs users in', () => {
    const service = serviceWith(native, sourceOf(false));
    expect(service.capabilities).toBe(native.capabilities);
    expect(service.list('resources/list', contextOf(ADA))).toEqual({ ok: true, items });
  });

  it('shows the caller their own sign-ins', async () => {
    const source = sourceOf();
    source.states.set('ben', 'connected');
    const service = serviceWith(native, source);
    const read = { method: 'resources/read', params: { uri: 'auth://status' } } as const;
    expect(await service.call(read, callContextOf(ADA))).toEqual({
      ok: true,
      result: { contents: CONTENTS },
    });
    expect(JSON.stringify(await service.call(read, callContextOf(BEN)))).toContain('connected');
  });

  it('is listed and read with the meta-tools', async () => {
    const ports = createGatewayResources(sourceOf());
    expect(ports.gatewayResources()).toMatchObject([{ uri: 'auth://status' }]);
    expect(ports.gatewayResources()).toBe(ports.gatewayResources());
    expect(await ports.readGatewayResource('auth://status', callContextOf(ADA))).toEqual(CONTENTS);
    expect(createGatewayResources(sourceOf(false)).gatewayResources()).toEqual([]);
  });

  it('leaves a tool of a server with the name of a meta-tool alone', async () => {
    const service = serviceWith(native, sourceOf());
    const args = { name: 'get_resource', arguments: { uri: 'auth://status' } };
    expect(await service.call({ method: 'tools/call', params: args }, callContextOf(ADA))).toEqual({
      ok: true,
      result: { content: [] },
    });
  });

  it('reports updates of the sign-ins of the caller', async () => {
    const source = sourceOf();
    const service = serviceWith(native, source);
    const updates: JsonObject[] = [];
    const onUpdated = (params: JsonObject): void => {
      updates.push(params);
    };
    const followed = await service.subscribe?.('auth://status', onUpdated, contextOf(ADA));
    source.change('all');
    source.states.set('ben', 'connected');
    source.change(new Set(['ben']));
    await new Promise(setImmediate);
    expect(updates).toEqual([]);
    source.states.set('ada', 'connected');
    source.change(new Set(['ada']));
    await new Promise(setImmediate);
    expect(updates).toEqual([{ uri: 'auth://status' }]);
    if (followed?.ok === true) followed.end();
    source.states.set('ada', 'reauth_required');
    source.change(new Set(['ada']));
    await new Promise(setImmediate);
    expect(updates).toHaveLength(1);
  });

  it('leaves other resources to the servers', async () => {
    const service = serviceWith(native, sourceOf());
    const read = { method: 'resources/read', params: { uri: 'file:///readme' } } as const;
    expect(await service.call(read, callContextOf(ADA))).toEqual({
      ok: true,
      result: { content: [] },
    });
    expect(
      await service.subscribe?.('file:///readme', () => undefined, contextOf(ADA)),
    ).toMatchObject({ ok: false, error: { message: 'Resource not found: file:///readme' } });
  });

  it('refuses requests whose toolset is refused', async () => {
    const error = { code: -32_602, message: 'toolset [] is empty' };
    const refusing: McpService = { ...native, refuseHeaders: () => error };
    const service = serviceWith(refusing, sourceOf());
    const read = { method: 'resources/read', params: { uri: 'auth://status' } } as const;
    expect(await service.call(read, callContextOf(ADA))).toEqual({ ok: false, error });
    expect(service.list('resources/list', contextOf(ADA))).toEqual({ ok: false, error });
  });
});
