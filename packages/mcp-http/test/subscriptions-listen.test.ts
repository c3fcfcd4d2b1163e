import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { readEvents, type EventReader } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { ENVELOPE, postModern, rpc, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const ID = 'io.modelcontextprotocol/subscriptionId';

const listen = (
  endpoint: InteractiveEndpoint,
  notifications: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> =>
  readEvents(endpoint.url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
      ...headers,
    },
    body: rpc('subscriptions/listen', { notifications, _meta: ENVELOPE }, 'sub'),
  });

const acknowledged = (notifications: object): object => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [ID]: 'sub' } },
});

const ENDED = {
  jsonrpc: '2.0',
  id: 'sub',
  result: {
    resultType: 'complete',
    _meta: {
      [ID]: 'sub',
      'io.modelcontextprotocol/serverInfo': { name: 'interactive', version: '1' },
    },
  },
};

describe('subscriptions/listen', () => {
  it('acknowledges the supported changes, and sends them under the id of the subscription', async () => {
    const endpoint = await start();
    const reader = await listen(endpoint, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['file:///a', 'file:///none', 'file:///a'],
    });
    expect(await reader.atLeast(1)).toEqual([
      acknowledged({ toolsListChanged: true, resourceSubscriptions: ['file:///a'] }),
    ]);
    endpoint.interactive.setTools('', ['new']);
    endpoint.interactive.changed('tools');
    endpoint.interactive.changed('prompts');
    await reader.atLeast(2);
    endpoint.interactive.update('file:///a', { 'x-own': 1 });
    endpoint.interactive.update('file:///b');
    expect((await reader.atLeast(3)).slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
        params: { _meta: { [ID]: 'sub' } },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { 'x-own': 1, uri: 'file:///a', _meta: { [ID]: 'sub' } },
      },
    ]);
    reader.cut();
    await until(() => endpoint.interactive.followed().length === 0);
  });

  it('acknowledges first, and then sends the changes that occurred during the subscription', async () => {
    let follow = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      follow = resolve;
    });
    const endpoint = await start({
      change: (service) => ({
        ...service,
        subscribe: async (...args) => {
          if (args[0] === 'file:///slow') await slow;
          return service.subscribe?.(...args) ?? { ok: true, end: () => undefined };
        },
      }),
    });
    const opening = listen(endpoint, { resourceSubscriptions: ['file:///a', 'file:///slow'] });
    await until(() => endpoint.interactive.followed().length === 1);
    endpoint.interactive.update('file:///a', { version: 1 });
    endpoint.interactive.update('file:///a', { version: 2 });
    follow();
    const reader = await opening;
    expect(await reader.atLeast(2)).toMatchObject([
      acknowledged({ resourceSubscriptions: ['file:///a', 'file:///slow'] }),
      { method: 'notifications/resources/updated', params: { uri: 'file:///a', version: 2 } },
    ]);
    endpoint.interactive.update('file:///a', { version: 3 });
    expect((await reader.atLeast(3))[2]).toMatchObject({ params: { version: 3 } });
    reader.cut();
  });

  it('notifies a client only of its own list', async () => {
    const endpoint = await start();
    endpoint.interactive.setTools('a', ['one']);
    const filter = { toolsListChanged: true };
    const [mine, other] = [
      await listen(endpoint, filter, { 'x-group': 'a' }),
      await listen(endpoint, filter),
    ];
    await Promise.all([mine.atLeast(1), other.atLeast(1)]);
    endpoint.interactive.setTools('a', ['two']);
    endpoint.interactive.changed('tools');
    await mine.atLeast(2);
    expect(other.messages()).toHaveLength(1);
    mine.cut();
    other.cut();
  });

  it('ends at once when no change is supported', async () => {
    const endpoint = await start();
    const reader = await listen(endpoint, { promptsListChanged: true });
    await reader.ended();
    expect(reader.messages()).toEqual([acknowledged({}), ENDED]);
  });

  it('ends in order with the server', async () => {
    const endpoint = await start();
    const reader = await listen(endpoint, { toolsListChanged: true });
    await reader.atLeast(1);
    await endpoint.drain(1_000);
    await reader.ended();
    expect(reader.messages().at(-1)).toEqual(ENDED);
  });

  it('sends keep-alive comments', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 5 } });
    const reader = await listen(endpoint, { toolsListChanged: true });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([reader.hasEnded(), reader.messages().length]).toEqual([false, 1]);
    reader.cut();
  });

  it.each([
    undefined,
    null,
    [],
    'all',
    { toolsListChanged: 'yes' },
    { resourceSubscriptions: 'file:///a' },
    { resourceSubscriptions: [7] },
  ])('refuses the filter %j', async (notifications) => {
    const endpoint = await start();
    const answer = await postModern(endpoint.url, 'subscriptions/listen', { notifications });
    expect(answer.json.error).toEqual({
      code: -32602,
      message: "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
    });
  });

  it('is bounded in number, also of resources, and needs a reader of streams', async () => {
    const endpoint = await start({ limits: { maxListenStreams: 1, maxSubscriptions: 1 } });
    const notifications = { toolsListChanged: true };
    const plain = { headers: { accept: 'application/json' } };
    const refused = await postModern(
      endpoint.url,
      'subscriptions/listen',
      { notifications },
      plain,
    );
    expect([refused.status, refused.json.error.message]).toEqual([
      406,
      'Accept must allow text/event-stream',
    ]);
    const many = { resourceSubscriptions: ['file:///a', 'file:///b'] };
    const tooMany = await postModern(endpoint.url, 'subscriptions/listen', { notifications: many });
    expect(tooMany.json.error.message).toBe('Too many resourceSubscriptions: the limit is 1');
    const reader = await listen(endpoint, notifications);
    await reader.atLeast(1);
    const full = await postModern(endpoint.url, 'subscriptions/listen', { notifications });
    expect(full.json.error).toEqual({ code: -32603, message: 'Subscription limit reached' });
    reader.cut();
  });

  it('serves the client of the SDK', async () => {
    const endpoint = await start();
    const client = new Client(
      { name: 'listening', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const seen: unknown[] = [];
    client.setNotificationHandler(
      'notifications/tools/list_changed',
      () => void seen.push('tools'),
    );
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void seen.push(params.uri),
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
    const subscription = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ['file:///a'],
    });
    endpoint.interactive.setTools('', ['new']);
    endpoint.interactive.changed('tools');
    await until(() => seen.length === 1);
    endpoint.interactive.update('file:///a');
    await until(() => seen.length === 2);
    expect(seen).toEqual(['tools', 'file:///a']);
    await subscription.close();
    await until(() => endpoint.interactive.followed().length === 0);
    await client.close();
  });
});
