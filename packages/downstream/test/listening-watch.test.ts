import { describe, expect, it } from 'vitest';
import { eventually, failed } from './harness/downstream.ts';
import { connected as connect } from './harness/http-connection.ts';
import { modernMethods } from './harness/modern.ts';

interface Listen {
  readonly uris: readonly string[];
  readonly say: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Ends the stream without an answer, as a server that is restarted does. */
  readonly cut: () => void;
}

interface ListenParams {
  readonly notifications: { readonly resourceSubscriptions?: readonly string[] };
}

/** A connected 2026-07-28 server whose open `subscriptions/listen` requests the test sees and cuts. */
const connected = async () => {
  const listens: Listen[] = [];
  const listen = (
    { notifications }: ListenParams,
    notify: (message: unknown) => void,
    id: unknown,
  ) =>
    new Promise((_resolve, reject) => {
      const asked = notifications.resourceSubscriptions ?? [];
      const uris = asked.filter((uri) => uri !== 'raw://unheard');
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const say: Listen['say'] = (method, params) =>
        notify({ jsonrpc: '2.0', method, params: { ...params, _meta } });
      listens.push({ uris, say, cut: () => reject(new Error('cut')) });
      const accepted = { resourceSubscriptions: uris };
      say('notifications/subscriptions/acknowledged', { notifications: accepted });
    });
  const capabilities = { tools: {}, resources: { subscribe: true } };
  const methods = { ...modernMethods(capabilities), 'subscriptions/listen': listen };
  const { raw, downstream } = await connect({ events: true, methods });
  const subscribe = async (uri: string) => {
    const updates: unknown[] = [];
    const resource = { server: 'raw', uri };
    const outcome = await downstream.subscribeResource(resource, (params) => updates.push(params));
    return { updates, outcome };
  };
  const touch = (listen: Listen | undefined, params: Readonly<Record<string, unknown>>) =>
    listen?.say('notifications/resources/updated', params);
  return { raw, listens, subscribe, touch };
};

describe('subscriptions/listen', () => {
  it('is one request for all resources, and the next one opens before the last one closes', async () => {
    const { listens, subscribe, touch } = await connected();
    const one = await subscribe('raw://one');
    const two = await subscribe('raw://two');
    expect([one.outcome.ok, two.outcome.ok]).toEqual([true, true]);
    expect(listens.map(({ uris }) => uris)).toEqual([['raw://one'], ['raw://one', 'raw://two']]);
    touch(listens[1], { uri: 'raw://one', odd: true });
    await eventually('the change is told', () => one.updates.length === 1);
    expect(one.updates).toEqual([{ uri: 'raw://one', odd: true }]);
  });

  it('notifies the subscription of a changed sub-resource', async () => {
    const { listens, subscribe, touch } = await connected();
    const { updates } = await subscribe('raw://one');
    for (const uri of ['raw://oneself', 7, 'raw://one/part']) touch(listens[0], { uri });
    await eventually('the change is told', () => updates.length > 0);
    expect(updates).toEqual([{ uri: 'raw://one/part' }]);
  });

  it('that does not accept a resource refuses the subscription and preserves the others', async () => {
    const { listens, subscribe, touch } = await connected();
    const one = await subscribe('raw://one');
    const message = 'the server does not announce changes of this resource';
    const refused = failed('request.refused', { rpcCode: -32602, message });
    expect((await subscribe('raw://unheard')).outcome).toEqual(refused);
    touch(listens[0], { uri: 'raw://one' });
    await eventually('the change is told', () => one.updates.length === 1);
  });

  it('is opened again after a pause when the server ends it, which counts as a change', async () => {
    const { listens, subscribe, touch } = await connected();
    const { updates } = await subscribe('raw://one');
    const cutAt = Date.now();
    listens[0]?.cut();
    await eventually('the gap is told', () => updates.length === 1);
    expect(Date.now() - cutAt).toBeGreaterThanOrEqual(990);
    expect(listens.map(({ uris }) => uris)).toEqual([['raw://one'], ['raw://one']]);
    touch(listens[1], { uri: 'raw://one' });
    await eventually('the change is told', () => updates.length === 2);
  });

  it('that the server ended does not delay a new resource', async () => {
    const { listens, subscribe } = await connected();
    const one = await subscribe('raw://one');
    listens[0]?.cut();
    expect((await subscribe('raw://two')).outcome.ok).toBe(true);
    await eventually('the gap is told', () => one.updates.length === 1);
    expect(listens.at(-1)?.uris).toEqual(['raw://one', 'raw://two']);
  });

  it('closes with the last resource', async () => {
    const { raw, listens, subscribe } = await connected();
    let isClosed = false;
    raw.setIntercept(({ method }, response) => {
      // The connection also asks, by GET, for a stream of all messages, which this server does not have.
      response.once('close', () => {
        isClosed ||= method === 'POST';
      });
      return false;
    });
    const { outcome } = await subscribe('raw://one');
    expect(isClosed).toBe(false);
    if (outcome.ok) outcome.end();
    await eventually('the stream is closed', () => isClosed);
    expect(listens.length).toBe(1);
  });
});
