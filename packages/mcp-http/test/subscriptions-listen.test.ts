import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { start, type InteractiveEndpoint } from './endpoint.ts';
import { listening, pause, tell, until } from './wire-client.ts';

const ID = 'io.modelcontextprotocol/subscriptionId';
const SUB = { [ID]: 'sub' };
const LISTEN = 'subscriptions/listen';

const listen = ({ readEvents }: InteractiveEndpoint, notifications: unknown, more: object = {}) => {
  const { headers, body } = listening(notifications);
  return readEvents({ ...headers, ...more }, body);
};

const acknowledged = (notifications: object): object =>
  tell('notifications/subscriptions/acknowledged', { notifications, _meta: SUB });

const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'interactive', version: '1' } };
const ENDED = {
  jsonrpc: '2.0',
  id: 'sub',
  result: { resultType: 'complete', _meta: { ...SUB, ...SERVER } },
};

describe('subscriptions/listen', () => {
  it('acknowledges the supported changes, and sends them under the id of the subscription', async () => {
    const endpoint = await start();
    const { interactive } = endpoint;
    const reader = await listen(endpoint, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['file:///a', 'file:///none', 'file:///a'],
    });
    const supported = { toolsListChanged: true, resourceSubscriptions: ['file:///a'] };
    expect(await reader.atLeast(1)).toEqual([acknowledged(supported)]);
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    interactive.changed('prompts');
    await reader.atLeast(2);
    interactive.update('file:///a', { 'x-own': 1 });
    interactive.update('file:///b');
    const updated = { 'x-own': 1, uri: 'file:///a', _meta: SUB };
    expect((await reader.atLeast(3)).slice(1)).toEqual([
      tell('notifications/tools/list_changed', { _meta: SUB }),
      tell('notifications/resources/updated', updated),
    ]);
    await reader.cut();
    await until(() => interactive.followed().length === 0);
  });

  it('acknowledges first, and then sends the changes that occurred during the subscription', async () => {
    let follow = (): void => undefined;
    const slow = new Promise<void>((resolve) => (follow = resolve));
    const endpoint = await start({
      change: (service) => ({
        ...service,
        subscribe: async (...args) => {
          if (args[0] === 'file:///slow') await slow;
          return service.subscribe?.(...args) ?? { ok: true, end: () => undefined };
        },
      }),
    });
    const { interactive } = endpoint;
    const filter = { resourceSubscriptions: ['file:///a', 'file:///slow'] };
    const opening = listen(endpoint, filter);
    await until(() => interactive.followed().length === 1);
    interactive.update('file:///a', { version: 1 });
    interactive.update('file:///a', { version: 2 });
    follow();
    const reader = await opening;
    expect(await reader.atLeast(2)).toMatchObject([
      acknowledged(filter),
      { method: 'notifications/resources/updated', params: { uri: 'file:///a', version: 2 } },
    ]);
    interactive.update('file:///a', { version: 3 });
    expect((await reader.atLeast(3))[2]).toMatchObject({ params: { version: 3 } });
  });

  it('notifies a client only of its own list', async () => {
    const endpoint = await start();
    endpoint.interactive.setTools('a', ['one']);
    const filter = { toolsListChanged: true };
    const mine = await listen(endpoint, filter, { 'x-group': 'a' });
    const other = await listen(endpoint, filter);
    await Promise.all([mine.atLeast(1), other.atLeast(1)]);
    endpoint.interactive.setTools('a', ['two']);
    endpoint.interactive.changed('tools');
    await mine.atLeast(2);
    expect(other.messages()).toHaveLength(1);
  });

  it('ends at once when no change is supported, and in order with the server', async () => {
    const endpoint = await start();
    const unsupported = await listen(endpoint, { promptsListChanged: true });
    await unsupported.ended();
    expect(unsupported.messages()).toEqual([acknowledged({}), ENDED]);
    const reader = await listen(endpoint, { toolsListChanged: true });
    await reader.atLeast(1);
    await endpoint.drain(1_000);
    await reader.ended();
    expect(reader.messages().at(-1)).toEqual(ENDED);
  });

  it('sends keep-alive comments', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 5 } });
    const reader = await listen(endpoint, { toolsListChanged: true });
    await pause(30);
    expect([reader.hasEnded(), reader.messages().length]).toEqual([false, 1]);
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
    const { json } = await (await start()).postModern(LISTEN, { notifications });
    const message =
      "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter";
    expect(json.error).toEqual({ code: -32602, message });
  });

  it('is bounded in number, also of resources, and needs a reader of streams', async () => {
    const endpoint = await start({ limits: { maxListenStreams: 1, maxSubscriptions: 1 } });
    const notifications = { toolsListChanged: true };
    const headers = { accept: 'application/json' };
    const plain = await endpoint.postModern(LISTEN, { notifications }, { headers });
    const unread = 'Accept must allow text/event-stream';
    expect([plain.status, plain.json.error.message]).toEqual([406, unread]);
    const many = { resourceSubscriptions: ['file:///a', 'file:///b'] };
    const tooMany = await endpoint.postModern(LISTEN, { notifications: many });
    expect(tooMany.json.error.message).toBe('Too many resourceSubscriptions: the limit is 1');
    await (await listen(endpoint, notifications)).atLeast(1);
    const full = await endpoint.postModern(LISTEN, { notifications });
    expect(full.json.error).toEqual({ code: -32603, message: 'Subscription limit reached' });
  });

  it('serves the client of the SDK', async () => {
    const { url, interactive } = await start();
    const mode = { pin: '2026-07-28' };
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
    const seen: unknown[] = [];
    const note = (what: unknown): void => void seen.push(what);
    client.setNotificationHandler('notifications/tools/list_changed', () => note('tools'));
    client.setNotificationHandler('notifications/resources/updated', (one) => note(one.params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const filter = { toolsListChanged: true, resourceSubscriptions: ['file:///a'] };
    const subscription = await client.listen(filter);
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    await until(() => seen.length === 1);
    interactive.update('file:///a');
    await until(() => seen.length === 2);
    expect(seen).toEqual(['tools', 'file:///a']);
    await subscription.close();
    await until(() => interactive.followed().length === 0);
    await client.close();
  });
});
