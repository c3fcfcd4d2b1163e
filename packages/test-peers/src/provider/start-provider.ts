import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import type { Provider } from 'oidc-provider';
import { sendFault, type FaultRule } from '../http/fault.ts';
import { listen, type Listening } from '../http/listen.ts';
import { createAccounts } from './accounts.ts';
import { buildProvider } from './build-provider.ts';
import type { ProviderParts } from './configuration.ts';
import { serveInteraction } from './interactions.ts';
import { ProviderStore } from './memory-adapter.ts';
import type { ProviderOptions, ProviderSettings } from './provider-options.ts';
import { innerPath, isHiddenMetadata } from './route.ts';
import { createSigningKey, type SigningKey } from './signing-keys.ts';

/** A request that a provider received. */
export interface ProviderRequest {
  readonly method: string;
  /** Without the path of the issuer and without the query. */
  readonly path: string;
  /** The parameters of the form or of the query. They are not masked, so that tests can compare them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The status of the response; 0 while there is none. */
  readonly status: number;
}

/** A running OpenID provider. */
export interface TestProvider {
  readonly issuer: string;
  readonly settings: ProviderSettings;
  /** Every request since the start, in the order of arrival. */
  readonly requests: readonly ProviderRequest[];
  /** Returns how many requests a path received: `/auth`, `/token`, `/reg`, `/jwks`, `/token/introspection`, `/token/revocation`. */
  readonly count: (path: string, parameters?: Readonly<Record<string, string>>) => number;
  /** Makes the requests fail that the rule selects; undefined makes none fail. */
  readonly setFault: (rule: FaultRule | undefined) => void;
  /** Revokes everything that belongs to a person. JWT access tokens stay valid until they expire. */
  readonly revokeUser: (subject: string) => void;
  /** Forgets all registered clients. */
  readonly removeClients: () => void;
  /** Signs with a new key. @param options without `keepsOld` the key set has the new key only */
  readonly rotateKeys: (options?: { readonly keepsOld?: boolean }) => Promise<void>;
  /** Signs claims with the present key. `iss`, `iat` and `exp` have defaults. */
  readonly sign: (
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  readonly close: () => Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The state of one running provider. */
class RunningProvider {
  readonly requests: Mutable<ProviderRequest>[] = [];
  readonly store = new ProviderStore();
  readonly settings: ProviderSettings;
  readonly issuer: string;
  fault: FaultRule | undefined;
  #keys: readonly SigningKey[];
  #provider: Provider;
  readonly #options: ProviderOptions;
  readonly #port: number;
  readonly #records = new WeakMap<IncomingMessage, Mutable<ProviderRequest>>();

  constructor(options: ProviderOptions, { origin, port }: Listening, key: SigningKey) {
    this.#options = options;
    this.#port = port;
    this.issuer = origin + (options.path ?? '');
    this.settings = {
      accessTokenSeconds: options.accessTokenSeconds ?? 300,
      idTokenSeconds: options.idTokenSeconds ?? 300,
    };
    this.#keys = [key];
    this.#provider = this.#build();
  }

  get #parts(): ProviderParts {
    return {
      options: this.#options,
      settings: this.settings,
      store: this.store,
      accounts: createAccounts(this.#options.users),
      keys: this.#keys,
      name: String(this.#port),
    };
  }

  #build(): Provider {
    return buildProvider(this.issuer, this.#parts, (ctx) => {
      const record = this.#records.get(ctx.req);
      const parameters = { ...ctx.oidc.body, ...ctx.oidc.params };
      if (record !== undefined && Object.keys(parameters).length > 0)
        record.parameters = parameters;
    });
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', this.issuer);
    const { path: prefix = '', metadata = 'both' } = this.#options;
    const path = innerPath(pathname, prefix);
    const record = this.#record(request, path ?? pathname, searchParams);
    response.once('finish', () => (record.status = response.statusCode));
    const fault = this.fault?.(record);
    if (fault !== undefined) sendFault(fault, request, response);
    else if (path === undefined || isHiddenMetadata(path, metadata)) response.writeHead(404).end();
    else if (path.startsWith('/interaction/')) this.#interact(request, response);
    else {
      Object.assign(request, { originalUrl: prefix + path + search, url: path + search });
      void this.#provider.callback()(request, response);
    }
  }

  #record(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
  ): Mutable<ProviderRequest> {
    const { method = 'GET' } = request;
    const record = { method, path, parameters: Object.fromEntries(query), status: 0 };
    this.requests.push(record);
    this.#records.set(request, record);
    return record;
  }

  #interact(request: IncomingMessage, response: ServerResponse): void {
    const { accounts } = this.#parts;
    serveInteraction({ provider: this.#provider, accounts }, request, response).catch(
      (error: unknown) => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        response.end(error instanceof Error ? error.message : 'failed');
      },
    );
  }

  async rotateKeys({ keepsOld = true } = {}): Promise<void> {
    const key = await createSigningKey(randomUUID());
    this.#keys = keepsOld ? [key, ...this.#keys] : [key];
    this.#provider = this.#build();
  }

  sign(claims: object, header: object = {}): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('a provider has a key');
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.issuer, iat: now, exp: now + 300, ...claims };
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.jwk.kid ?? '', ...header })
      .sign(key.privateKey);
  }

  count(path: string, parameters: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(parameters);
    return this.requests.filter(
      (request) =>
        request.path === path &&
        wanted.every(([name, value]) => request.parameters[name] === value),
    ).length;
  }
}

/**
 * Starts an OpenID provider and OAuth authorization server (oidc-provider) in this process, on the loopback address. It has discovery by
 * RFC 8414 and OpenID, PKCE, registration (RFC 7591), Client ID Metadata Documents, resource indicators (RFC 8707), `iss` (RFC 9207),
 * introspection, revocation, the device flow, rotation of refresh tokens with detection of reuse, and token exchange (RFC 8693).
 */
export const startProvider = async (options: ProviderOptions = {}): Promise<TestProvider> => {
  const key = await createSigningKey('first');
  const state: { running?: RunningProvider } = {};
  const listening = await listen(
    (request, response) => state.running?.handle(request, response),
    options,
  );
  const running = new RunningProvider(options, listening, key);
  state.running = running;
  return {
    issuer: running.issuer,
    settings: running.settings,
    requests: running.requests,
    count: (path, parameters) => running.count(path, parameters),
    setFault: (rule) => (running.fault = rule),
    revokeUser: (subject) => void running.store.remove(({ accountId }) => accountId === subject),
    removeClients: () => void running.store.remove((_payload, model) => model === 'Client'),
    rotateKeys: (rotation) => running.rotateKeys(rotation),
    sign: (claims, header) => running.sign(claims, header),
    close: listening.close,
  };
};
