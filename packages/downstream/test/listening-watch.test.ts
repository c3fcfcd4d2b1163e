import { describe, expect, it } from 'vitest';
import type { Downstream } from '../src/index.ts';
import { eventually, testDownstream } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

interface Listen {
  readonly uris: readonly string[];
  readonly say: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Ends the stream without an answer, as a server that is restarted does. */
  readonly cut: () => void;
}

interface ListenParams {
  readonly notifications: { readonly resourceSubscriptions?: readonly string[] };
}

/** A 2026-07-28 server over HTTP whose open `subscriptions/listen` requests the test sees and cuts. */
const listeningServer = async () => {
  const listens: Listen[] = [];
  const http = await startRawHttp({
    events: true,
    methods: {
      'server/discover': () => ({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: { subscribe: true } },
        serverInfo: { name: 'raw', version: '1.0.0' },
      }),
      'subscriptions/listen': (
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
          const listen: Listen = {
            uris,
            say,
            cut: () => reject(new Error('cut')),
          };
          listens.push(listen);
          say('notifications/subscriptions/acknowledged', {
            notifications: { resourceSubscriptions: uris },
          });
        }),
    },
  });
  return { http, listens };
};

const subscribe = async (downstream: Downstream, uri: string) => {
  const updates: unknown[] = [];
  const outcome = await downstream.subscribeResource({ server: 'raw', uri }, (params) =>
    updates.push(params),
  );
  return { updates, outcome };
};

const connected = async () => {
  const { http, listens } = await listeningServer();
  const { downstream } = testDownstream();
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
  await downstream.settled();
  return { http, listens, downstream };
};

describe('subscriptions/listen', () => {
  it('is one request for all resources, and the next one opens before the last one closes', async () => {
    const { listens, downstream } = await connected();
    const one = await subscribe(downstream, 'raw://one');
    const two = await subscribe(downstream, 'raw://two');
    expect([one.outcome.ok, two.outcome.ok]).toEqual([true, true]);
    expect(listens.map(({ uris }) => uris)).toEqual([['raw://one'], ['raw://one', 'raw://two']]);
    listens[1]?.say('notifications/resources/updated', { uri: 'raw://one', odd: true });
    await eventually('the change is told', () => one.updates.length === 1);
    expect(one.updates).toEqual([{ uri: 'raw://one', odd: true }]);
  });

  it('notifies the subscription of a changed sub-resource', async () => {
    const { listens, downstream } = await connected();
    const { updates } = await subscribe(downstream, 'raw://one');
    const [listen] = listens;
    listen?.say('notifications/resources/updated', { uri: 'raw://oneself' });
    listen?.say('notifications/resources/updated', { uri: 7 });
    listen?.say('notifications/resources/updated', { uri: 'raw://one/part' });
    await eventually('the change is told', () => updates.length > 0);
    expect(updates).toEqual([{ uri: 'raw://one/part' }]);
  });

  it('that does not accept a resource refuses the subscription and preserves the others', async () => {
    const { listens, downstream } = await connected();
    const one = await subscribe(downstream, 'raw://one');
    expect((await subscribe(downstream, 'raw://unheard')).outcome).toEqual({
      ok: false,
      error: {
        code: 'request.refused',
        server: 'raw',
        rpcCode: -32602,
        message: 'the server does not announce changes of this resource',
      },
    });
    listens[0]?.say('notifications/resources/updated', { uri: 'raw://one' });
    await eventually('the change is told', () => one.updates.length === 1);
  });

  it('is opened again after a pause when the server ends it, which counts as a change', async () => {
    const { listens, downstream } = await connected();
    const { updates } = await subscribe(downstream, 'raw://one');
    const cutAt = Date.now();
    listens[0]?.cut();
    await eventually('the gap is told', () => updates.length === 1);
    expect(Date.now() - cutAt).toBeGreaterThanOrEqual(990);
    expect(listens.map(({ uris }) => uris)).toEqual([['raw://one'], ['raw://one']]);
    listens[1]?.say('notifications/resources/updated', { uri: 'raw://one' });
    await eventually('the change is told', () => updates.length === 2);
  });

  it('that the server ended does not delay a new resource', async () => {
    const { listens, downstream } = await connected();
    const one = await subscribe(downstream, 'raw://one');
    listens[0]?.cut();
    const two = await subscribe(downstream, 'raw://two');
    expect(two.outcome.ok).toBe(true);
    await eventually('the gap is told', () => one.updates.length === 1);
    expect(listens.at(-1)?.uris).toEqual(['raw://one', 'raw://two']);
  });

  it('closes with the last resource', async () => {
    const { listens, downstream, http } = await connected();
    let isClosed = false;
    http.setIntercept(({ method }, response) => {
      // The connection also asks, by GET, for a stream of all messages, which this server does not have.
      response.once('close', () => {
        isClosed ||= method === 'POST';
      });
      return false;
    });
    const { outcome } = await subscribe(downstream, 'raw://one');
    expect(isClosed).toBe(false);
    if (outcome.ok) outcome.end();
    await eventually('the stream is closed', () => isClosed);
    expect(listens.length).toBe(1);
  });
});
