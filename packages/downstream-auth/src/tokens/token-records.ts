import type { StateKey, StateStore } from '@gateway/state-store';
import * as z from 'zod/mini';
import { type ClientIdentity, parseClientIdentity } from '../clients/identify-client.ts';
import { parseJson } from '../storage/state.ts';

const text = z.string().check(z.maxLength(64 * 1024));

export interface AccessToken {
  /** Identifies the token in this installation. Not secret. */
  readonly id: string;
  /** RFC 8707 resource indicator that the token was requested for. */
  readonly resource: string;
  /** Secret. */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly obtainedAt: number;
  /** Milliseconds since the epoch; absent when the issuer does not say. */
  readonly expiresAt?: number;
  /** True when it was refreshed because the server rejected the previous token. */
  readonly isReplacement?: boolean;
}

export interface Grant {
  readonly client: ClientIdentity;
  readonly scope: string;
  /** Secret. */
  readonly refreshToken?: string;
  readonly tokens: readonly AccessToken[];
}

const token = z.object({
  id: text,
  resource: text,
  accessToken: text,
  obtainedAt: z.number(),
  expiresAt: z.exactOptional(z.number()),
  isReplacement: z.exactOptional(z.boolean()),
});

const grants = z.array(
  z.object({
    client: z.unknown(),
    scope: text,
    refreshToken: z.exactOptional(text),
    tokens: z.array(token),
  }),
);

/** Parses the stored grants of a user at an issuer, newest first; empty for an invalid value. */
const parseGrants = (value: unknown): readonly Grant[] =>
  (grants.safeParse(value).data ?? []).flatMap((grant) => {
    const client = parseClientIdentity(grant.client);
    return client === undefined ? [] : [{ ...grant, client }];
  });

export interface Binding {
  /** The URL of the server at the sign-in. A server with another URL does not receive the tokens. */
  readonly serverUrl: string;
  readonly issuer: string;
  readonly resource: string;
  readonly scope: string;
  /** Scopes that the server has required since the sign-in. */
  readonly pendingScope?: string;
  /** Number of scope challenges, and of challenges for scopes that were already requested. */
  readonly stepUps?: number;
  readonly repeatedStepUps?: number;
  /** The reason why the user must sign in again. One line without secrets. */
  readonly ended?: string;
}

const binding = z.object({
  serverUrl: text,
  issuer: text,
  resource: text,
  scope: text,
  pendingScope: z.exactOptional(text),
  stepUps: z.exactOptional(z.number()),
  repeatedStepUps: z.exactOptional(z.number()),
  ended: z.exactOptional(text),
});

const parseBinding = (value: unknown): Binding | undefined => binding.safeParse(value).data;

export interface FoundToken {
  readonly grant: Grant;
  readonly token: AccessToken;
}

export const findToken = (list: readonly Grant[], resource: string): FoundToken | undefined => {
  for (const grant of list) {
    const found = grant.tokens.find((candidate) => candidate.resource === resource);
    if (found !== undefined) return { grant, token: found };
  }
  return undefined;
};

const MAX_GRANTS = 16;
const MAX_TOKENS = 64;

/** Returns the grants without tokens for a resource. Grants without any token are omitted. */
export const withoutResource = (list: readonly Grant[], resource: string): readonly Grant[] =>
  list
    .map((grant) => ({
      ...grant,
      tokens: grant.tokens.filter((one) => one.resource !== resource),
    }))
    .filter(({ tokens }) => tokens.length > 0);

/** Returns the grants with a new one. It replaces older tokens for its resources. */
export const withGrant = (list: readonly Grant[], added: Grant): readonly Grant[] => {
  const others = added.tokens.reduce((rest, { resource }) => withoutResource(rest, resource), list);
  return [added, ...others].slice(0, MAX_GRANTS);
};

/** Returns the grants with a renewed token for a resource, and its refresh token. */
export const withToken = (
  list: readonly Grant[],
  grant: Grant,
  renewed: { readonly token: AccessToken; readonly refreshToken: string | undefined },
): readonly Grant[] => {
  const { token: added, refreshToken } = renewed;
  const tokens = grant.tokens.filter((one) => one.resource !== added.resource);
  const changed: Grant = {
    ...grant,
    ...(refreshToken !== undefined && { refreshToken }),
    tokens: [added, ...tokens].slice(0, MAX_TOKENS),
  };
  return list.map((one) => (one === grant ? changed : one));
};

const MARGIN_MS = 5 * 60_000;

/** Returns the time from which a token is refreshed: 5 minutes before its end, or half of a shorter lifetime. */
export const computeRefreshTime = ({ obtainedAt, expiresAt }: AccessToken): number =>
  expiresAt === undefined
    ? Number.POSITIVE_INFINITY
    : expiresAt - Math.min(MARGIN_MS, (expiresAt - obtainedAt) / 2);

export const isValid = ({ expiresAt }: AccessToken, now: number): boolean =>
  expiresAt === undefined || now < expiresAt;

/** Lifetime of unused tokens and sign-ins. */
const UNUSED_TTL_MS = 30 * 24 * 60 * 60_000;

export interface SignInKey {
  readonly principalKey: string;
  readonly server: string;
}

const toBindingKey = ({ principalKey, server }: SignInKey): StateKey => [
  'sign-in',
  principalKey,
  server,
];
const toGrantsKey = (principalKey: string, issuer: string): StateKey => [
  'tokens',
  principalKey,
  issuer,
];

/** The secret of a client that the operator registered is read from its source, and is not stored. */
const toStoredGrant = (grant: Grant): Grant => {
  const { clientId, kind, method } = grant.client;
  return kind === 'pre-registered' ? { ...grant, client: { clientId, kind, method } } : grant;
};

/** The stored tokens of users. Methods reject with failures of the store. */
export class TokenVault {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async binding(user: SignInKey): Promise<Binding | undefined> {
    return parseBinding(parseJson(await this.#store.get(toBindingKey(user))));
  }

  setBinding(user: SignInKey, binding: Binding): Promise<void> {
    return this.#store.set(toBindingKey(user), JSON.stringify(binding), { ttlMs: UNUSED_TTL_MS });
  }

  deleteBinding(user: SignInKey): Promise<void> {
    return this.#store.delete(toBindingKey(user));
  }

  /** Returns the grants of a user at an issuer, the newest first. */
  async grants(principalKey: string, issuer: string): Promise<readonly Grant[]> {
    return parseGrants(parseJson(await this.#store.get(toGrantsKey(principalKey, issuer))));
  }

  setGrants(principalKey: string, issuer: string, list: readonly Grant[]): Promise<void> {
    const key = toGrantsKey(principalKey, issuer);
    return list.length === 0
      ? this.#store.delete(key)
      : this.#store.set(key, JSON.stringify(list.map(toStoredGrant)), { ttlMs: UNUSED_TTL_MS });
  }
}
