import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createPrincipal } from '@gateway/call-contract';
import type { Principal } from '@gateway/call-contract';
import type { AuthorizationServer, McpServer } from '@gateway/crd-schemas';
import { createMemoryStore } from '@gateway/state-store';
import type { StateStore } from '@gateway/state-store';
import { signIn, startProtectedServer, startProvider, createTestUser } from '@gateway/test-peers';
import type { VisitedPage, SignInOptions } from '@gateway/test-peers';
import { createDownstreamAuth } from '../../src/index.ts';
import type { DownstreamAuth, DownstreamAuthOptions } from '../../src/create-downstream-auth.ts';
import { remoteServer } from '../remote-server.ts';

/** Returns a server of type `oauth`. */
export const oauthServer = (name: string, url: string, pinned?: AuthorizationServer): McpServer => {
  const server = remoteServer(
    { type: 'oauth', ...(pinned !== undefined && { authorizationServer: pinned }) },
    url,
  );
  return { ...server, metadata: { ...server.metadata, name } };
};

/** Returns a user of a test. */
export const user = (name: string): Principal =>
  createPrincipal({ issuer: 'https://home.example', subject: name });

/** Sign-in of a gateway that listens on the loopback address. */
export interface TestGateway {
  readonly auth: DownstreamAuth;
  readonly store: StateStore;
  readonly publicUrl: URL;
  readonly servers: McpServer[];
  /** Lines of the log. */
  readonly lines: string[];
  /** Replaces the sign-in with a new one on the same store, as a restart does. */
  restart(): void;
  /** Signs a user in to a server in a browser, and returns the last page. */
  signIn(server: McpServer, principal: Principal, options?: SignInOptions): Promise<VisitedPage>;
  /** Sends a request to a server as a user, once more after a refusal, and returns the last status, or the code of the refusal. */
  request(server: McpServer, principal: Principal): Promise<number | string>;
}

/** Closes a peer when the test ends. */
const untilEnd = async <T extends { close(): unknown }>(starting: Promise<T>): Promise<T> => {
  const peer = await starting;
  onTestFinished(async () => {
    await peer.close();
  });
  return peer;
};

export const provider = (options: Parameters<typeof startProvider>[0] = {}) =>
  untilEnd(startProvider(options));
export const protectedServer = (options: Parameters<typeof startProtectedServer>[0] = {}) =>
  untilEnd(startProtectedServer({ scopesSupported: ['mcp'], ...options }));

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
});

interface Sent {
  readonly status: number;
  readonly challenge: string | undefined;
}

const send = async (url: string, authorization: string): Promise<Sent> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: INITIALIZE,
  });
  await response.body?.cancel();
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? undefined,
  };
};

const urlOf = ({ spec }: McpServer): string => {
  if (spec.type === 'stdio') throw new Error('the server has no URL');
  return spec.url;
};

const isRejection = (status: number): status is 401 | 403 => status === 401 || status === 403;

const requestAs = async (
  { credentials }: DownstreamAuth,
  server: McpServer,
  principal: Principal,
): Promise<number | string> => {
  const first = await credentials.current(server, principal);
  if (!first.ok) return first.code;
  const { credential } = first;
  const { status, challenge } = await send(urlOf(server), credential.authorization);
  if (!isRejection(status)) return status;
  const second = await credentials.renewRejected(server, principal, {
    status,
    challenge,
    credential,
  });
  if (!second.ok) return second.code;
  return (await send(urlOf(server), second.credential.authorization)).status;
};

/** Opens the link of a sign-in and confirms it, and returns the URL of the provider that the browser is led to. */
export const createAuthorizationUrl = async (link: string): Promise<URL> => {
  const { origin } = new URL(link);
  const isEnd = (url: URL): boolean => url.origin !== origin;
  const end = await signIn(link, createTestUser('anyone'), { isEnd });
  return new URL(end.url);
};

/** Starts the sign-in of a gateway. */
export const testGateway = async (
  options: Partial<DownstreamAuthOptions> & { readonly store?: StateStore } = {},
): Promise<TestGateway> => {
  const store = options.store ?? createMemoryStore();
  const servers: McpServer[] = [];
  const lines: string[] = [];
  const write = (facts: object, text: string): void => {
    lines.push(`${JSON.stringify(facts)} ${text}`);
  };
  let auth: DownstreamAuth;
  const listener = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const prefix = Object.keys(auth.prefixes).find((start) => path.startsWith(start));
    const route = auth.routes[path] ?? auth.prefixes[prefix ?? ''];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    auth.close();
    listener.close();
    listener.closeAllConnections();
  });
  const publicUrl = new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  const create = (): DownstreamAuth =>
    createDownstreamAuth({
      publicUrl,
      servers: () => servers,
      secrets: { read: () => Promise.resolve({ ok: false, reason: 'no secrets' }) },
      allowPrivate: true,
      log: { info: write, warn: write },
      ...options,
      store,
    });
  auth = create();
  return {
    get auth() {
      return auth;
    },
    store,
    publicUrl,
    servers,
    lines,
    restart: () => {
      auth.close();
      auth = create();
    },
    signIn: async (server, principal, signInOptions = {}) => {
      const outcome = await auth.login(server, principal);
      if (outcome.code !== 'challenge') throw new Error(JSON.stringify(outcome));
      return signIn(outcome.url, createTestUser(principal.subject), signInOptions);
    },
    request: (server, principal) => requestAs(auth, server, principal),
  };
};
