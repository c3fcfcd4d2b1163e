import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch } from '@gateway/guarded-fetch';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { expect, it, onTestFinished } from 'vitest';
import { createForwarder } from '../../src/forward/forward-request.ts';
import { createSessions } from '../../src/user/sessions.ts';
import { createPortal } from '../../src/serving/create-portal.ts';
import { startService } from '../harness/peer-service.ts';
import { webRoot } from '../harness/started-portal.ts';

const PUBLIC_URL = new URL('http://127.0.0.1:7070/');
const ID = 'x'.repeat(43);

/** A store in which a session ends directly after it was read. */
const endingAfterRead = (store: StateStore, end: () => Promise<unknown>): StateStore => ({
  ...store,
  get: async (key) => {
    const value = await store.get(key);
    await end();
    return value;
  },
});

/** Starts a portal over a store, and returns where it listens. */
const startOver = async (store: StateStore, gateway: string): Promise<string> => {
  const portal = await createPortal({
    settings: {
      ...{ publicUrl: PUBLIC_URL, allowedHosts: [], gatewayUrl: new URL(gateway) },
      ...{ webRoot: webRoot(), key: new Uint8Array(32) },
      signIn: {
        ...{ issuer: gateway, clientId: 'portal', scopes: ['openid'], token: 'access_token' },
        clientSecret: () => Promise.resolve(undefined),
      },
    },
    store,
    fetch: createGuardedFetch({ allowPrivate: true, maxBytes: 1_024, timeoutMs: 1_000 }),
    now: () => 0,
    onFailure: () => undefined,
  });
  const server = createServer(portal.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await portal.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const startSession = async (store: StateStore): Promise<void> => {
  const session = { subject: 'alice', name: 'Alice', token: 'secret', expiresAt: 1e9 };
  await createSessions(store).begin(ID, session, 'alice');
};

it('does not send a request whose session ends directly after it was read', async () => {
  const gateway = await startService();
  const store = createMemoryStore();
  await startSession(store);
  const ending = endingAfterRead(store, () => createSessions(store).end(ID));
  const address = await startOver(ending, gateway.url);
  const answer = await fetch(`${address}/mcp`, {
    headers: { cookie: `portal=${ID}`, 'sec-fetch-site': 'same-origin' },
  });
  expect(answer.headers.get('x-portal-refusal')).toBe('signed-out');
  expect(gateway.received).toEqual([]);
});

it('sends no request of a browser that has gone away before', async () => {
  const gateway = await startService();
  const forwarder = createForwarder();
  onTestFinished(() => forwarder.close());
  let forwarded: Promise<void> | undefined;
  const server = createServer((request, response) => {
    response.once('close', () => {
      forwarded = forwarder.forward({
        ...{ request, response, url: new URL(gateway.url), token: undefined, countedAs: 'one' },
        ...{ sessionEnd: new AbortController().signal, unreachable: 'gateway-unreachable' },
      });
      server.emit('forwarded');
    });
    response.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const begun = once(server, 'forwarded');
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  await begun;
  await forwarded;
  expect(gateway.received).toEqual([]);
});
