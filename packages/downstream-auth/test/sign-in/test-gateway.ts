import type { RequestListener } from 'node:http';
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
import { closing, serve } from '../serve.ts';
import { connectAs } from '../sso-peers.ts';

/** Returns a server of type `oauth`. */
const oauthServer = (name: string, url: string, pinned?: AuthorizationServer): McpServer => {
  const auth = { type: 'oauth', ...(pinned !== undefined && { authorizationServer: pinned }) };
  const server = remoteServer(auth as Parameters<typeof remoteServer>[0], url);
  return { ...server, metadata: { ...server.metadata, name } };
};

/** Returns a user of a test. */
export const user = (name: string): Principal =>
  createPrincipal({ issuer: 'https://home.example', subject: name });
export const ALICE = user('alice');
export const BOB = user('bob');

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
  /** Adds a server of type `oauth`, in the place of one with its name. */
  add(name: string, url: string, pinned?: AuthorizationServer): McpServer;
  /** Returns the link of a sign-in, which must be required. */
  link(server: McpServer, principal?: Principal): Promise<string>;
  /** Signs a user in to a server in a browser, and returns the last page. */
  signIn(server: McpServer, principal: Principal, options?: SignInOptions): Promise<VisitedPage>;
  /** Sends a request to a server as a user, once more after a refusal, and returns the last status, or the code of the refusal. */
  request(server: McpServer, principal: Principal): Promise<number | string>;
}

export const provider = (options: Parameters<typeof startProvider>[0] = {}) =>
  closing(startProvider(options));
export const protectedServer = (options: Parameters<typeof startProtectedServer>[0] = {}) =>
  closing(startProtectedServer({ scopesSupported: ['mcp'], ...options }));

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
  const listener: RequestListener = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const prefix = Object.keys(auth.prefixes).find((start) => path.startsWith(start));
    const route = auth.routes[path] ?? auth.prefixes[prefix ?? ''];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  };
  const publicUrl = new URL(await serve(listener));
  onTestFinished(() => auth.close());
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
  const link = async (server: McpServer, principal = ALICE): Promise<string> => {
    const outcome = await auth.login(server, principal);
    if (outcome.code !== 'challenge') throw new Error(JSON.stringify(outcome));
    return outcome.url;
  };
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
    add: (name, url, pinned) => {
      const server = oauthServer(name, url, pinned);
      const at = servers.findIndex(({ metadata }) => metadata.name === name);
      servers.splice(at === -1 ? servers.length : at, at === -1 ? 0 : 1, server);
      return server;
    },
    link,
    signIn: async (server, principal, signInOptions = {}) =>
      signIn(await link(server, principal), createTestUser(principal.subject), signInOptions),
    request: async (server, principal) => {
      const outcome = await connectAs(auth.credentials, server, principal);
      if (typeof outcome === 'number') return outcome;
      return outcome.ok ? 'renewed' : outcome.code;
    },
  };
};

/** Options of the peers of a test. */
export interface SceneOptions {
  readonly provider?: Parameters<typeof provider>[0];
  readonly server?: Parameters<typeof protectedServer>[0];
  readonly gateway?: Parameters<typeof testGateway>[0];
}

/** Starts a provider, a server of this provider, and a gateway with the server `tools`. */
export const scene = async (options: SceneOptions = {}) => {
  const issuer = await provider(options.provider);
  const peer = await protectedServer({ issuers: [issuer.issuer], ...options.server });
  const gateway = await testGateway(options.gateway);
  return { issuer, peer, gateway, tools: gateway.add('tools', peer.url) };
};

/** A scene with a clock that the test moves, whose access tokens last an hour. */
export const clockedScene = async (options: SceneOptions = {}) => {
  let ahead = 0;
  const clock = (): number => Date.now() + ahead;
  const all = await scene({
    ...options,
    provider: { accessTokenSeconds: 3_600, ...options.provider },
    gateway: { ...options.gateway, clock },
  });
  const move = (seconds: number): void => {
    ahead += seconds * 1_000;
  };
  /** Refuses the current credential of alice. */
  const reject = async (status: 401 | 403, challenge?: string) => {
    const { credentials } = all.gateway.auth;
    const outcome = await credentials.current(all.tools, ALICE);
    if (!outcome.ok) throw new Error(outcome.reason);
    const { credential } = outcome;
    const rejection = { status, challenge, credential };
    return {
      credential,
      renew: async () => credentials.renewRejected(all.tools, ALICE, rejection),
    };
  };
  return { ...all, clock, move, reject };
};
