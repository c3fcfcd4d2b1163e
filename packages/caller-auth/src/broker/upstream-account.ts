import { createHash } from 'node:crypto';
import { isJsonObject, type Principal, createPrincipal } from '@gateway/call-contract';
import { type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError } from '@gateway/service-host';
import type { StateKey, StateStore } from '@gateway/state-store';
import * as client from 'openid-client';
import type { IDToken, UserInfoResponse } from 'openid-client';
import type { UpstreamSettings } from '../auth-settings.ts';
import { readSubject } from '../resource-server/claims.ts';
import { isFromFuture } from '../resource-server/token-verifiers.ts';

/** The facts of a user who signed in, and the tokens of the OpenID provider for this user. Stored, never sent to a client. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** When the provider last stated the groups, in milliseconds since the epoch. */
  readonly groupsAt?: number;
  readonly idToken: string;
  /** Expiry of the ID token in milliseconds since the epoch. */
  readonly idTokenExpiresAt: number;
  readonly audiences: readonly string[];
  readonly refreshToken?: string;
  /** When the provider last confirmed the sign-in, in milliseconds since the epoch. */
  readonly checkedAt: number;
  /** The provider ended the sign-in: the user must sign in again. */
  readonly hasEnded?: true;
}

/** Returns the identifier of a user at this authorization server: a digest, so that it has a fixed form and shows nothing. */
export const computeAccountId = (principalKey: string): string =>
  createHash('sha256').update(principalKey).digest('base64url');

export const toPrincipal = ({ issuer, subject, email, name, groups }: Account): Principal =>
  createPrincipal({
    issuer,
    subject,
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(groups === undefined ? {} : { groups }),
  });

export interface Accounts {
  find(accountId: string): Promise<Account | undefined>;
  /** Stores an account and returns its identifier. */
  save(account: Account): Promise<string>;
  delete(accountId: string): Promise<void>;
}

const toAccountKey = (accountId: string): StateKey => ['broker-account', accountId];

/** Returns the accounts in a store. An account expires `ttlMs` after it was last saved. */
export const createAccounts = (store: StateStore, ttlMs: number): Accounts => ({
  find: async (accountId) => {
    const stored = await store.get(toAccountKey(accountId));
    return stored === undefined ? undefined : (JSON.parse(stored) as Account);
  },
  save: async (account) => {
    const accountId = computeAccountId(toPrincipal(account).key);
    await store.set(toAccountKey(accountId), JSON.stringify(account), { ttlMs });
    return accountId;
  },
  delete: (accountId) => store.delete(toAccountKey(accountId)),
});

const MAX_GROUPS = 1000;
const MAX_CLAIM_CHARS = 1024;

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM_CHARS ? value : undefined;

const readGroups = (value: unknown): readonly string[] | undefined => {
  const listed: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? [value]
      : undefined;
  return listed
    ?.slice(0, MAX_GROUPS)
    .map(readText)
    .filter((group) => group !== undefined);
};

const readClaim = (claims: IDToken | UserInfoResponse, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** The facts about a user that may change while the user is signed in. */
type UserFacts = Pick<Account, 'email' | 'name' | 'groups' | 'groupsAt'>;

/** The facts of an account that come from the claims of an ID token. */
type ClaimedFacts = UserFacts &
  Pick<Account, 'issuer' | 'subject' | 'audiences' | 'idTokenExpiresAt'>;

export interface UpstreamOptions {
  readonly settings: UpstreamSettings;
  readonly redirectUri: string;
  readonly fetch: GuardedFetch;
  /** Returns the client secret; undefined for a public client. */
  readonly clientSecret: () => Promise<string | undefined>;
  readonly now: () => number;
  /** Time for which groups are believed that the provider does not state again, in milliseconds. */
  readonly groupsMs: number;
  /** Called with one line about a failed request, without values of it. */
  readonly onFailure: (line: string) => void;
  /** Called when the provider does not answer, once until it answers again. */
  readonly onOutage: () => void;
}

type ClaimOptions = Pick<UpstreamOptions, 'settings' | 'now'>;

/** Values of `email_verified` with which a provider says no; some write the claim as text. */
const UNVERIFIED: ReadonlySet<unknown> = new Set([false, 'false']);

/** Returns the facts about a user that claims state. An e-mail address that the provider has not verified is left out. */
const readUserFacts = (
  claims: IDToken | UserInfoResponse,
  { settings: { claims: names }, now }: ClaimOptions,
): UserFacts => {
  const isUnverified = UNVERIFIED.has(readClaim(claims, 'email_verified'));
  const email = isUnverified ? undefined : readText(readClaim(claims, names.email));
  const name = readText(readClaim(claims, names.name));
  const groups = readGroups(readClaim(claims, names.groups));
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(groups === undefined ? {} : { groups, groupsAt: now() }),
  };
};

/** Returns the facts that a verified ID token states. */
const readFacts = (claims: IDToken, options: ClaimOptions): ClaimedFacts => ({
  issuer: claims.iss,
  subject: claims.sub,
  audiences: [claims.aud].flat(),
  idTokenExpiresAt: claims.exp * 1000,
  ...readUserFacts(claims, options),
});

/** Returns an error of a kind among an error and its causes: the library wraps errors. */
const findCause = <T>(error: unknown, isKind: (one: unknown) => one is T): T | undefined => {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (isKind(current)) return current;
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
};

const isGuarded = (one: unknown): one is GuardedFetchError => one instanceof GuardedFetchError;
const isAnswerError = (one: unknown): one is OAuthAnswerError => one instanceof OAuthAnswerError;
const isResponse = (one: unknown): one is Response => one instanceof Response;

/** The library keeps metadata that states another issuer. */
const isMetadata = (one: unknown): one is { readonly body: { readonly issuer: string } } =>
  isJsonObject(one) && isJsonObject(one['body']) && typeof one['body']['issuer'] === 'string';

/** Returns the code of the guarded request that failed. */
export const findFetchCode = (error: unknown): GuardedFetchError['code'] | undefined =>
  findCause(error, isGuarded)?.code;

/** Returns whether the provider answered with a status of 500 or higher and without the JSON of an error; the library keeps the answer. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Response && error.cause.status >= 500;

/** Returns the code of a failure: of the guarded request, or of the library; for an answer that cannot be read, what is wrong with it. */
export const findFailureCode = (error: unknown): string => {
  const code = findFetchCode(error) ?? findCause(error, isAnswerError)?.message;
  if (code !== undefined) return code;
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'failed';
};

/** The metadata states another issuer than that of its address. */
const MISMATCH = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

const trimSlash = (issuer: string): string => issuer.replace(/\/$/, '');

const formatMismatch = (error: unknown, issuer: string): string => {
  const named = findCause(error, isMetadata)?.body.issuer;
  return named !== undefined && trimSlash(named) === trimSlash(issuer)
    ? `its metadata names the issuer ${named}: the slash at the end differs; set auth.broker.upstream.issuer to ${named}`
    : 'its metadata names another issuer; copy auth.broker.upstream.issuer from there';
};

/** Returns why the metadata of an issuer cannot be used, with the remedy where there is one. */
export const formatMetadataProblem = (error: unknown, issuer: string): string => {
  const guarded = findCause(error, isGuarded);
  if (guarded !== undefined) return guarded.message;
  if (findFailureCode(error) === MISMATCH) return formatMismatch(error, issuer);
  const response = findCause(error, isResponse);
  const problem = response === undefined ? findFailureCode(error) : `HTTP ${response.status}`;
  return `its metadata is not valid (${problem})`;
};

/** The answer is about another user. */
const ANOTHER_SUBJECT = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Returns the facts of the UserInfo endpoint; `undefined` where there is none or it does not answer. OpenID Connect Core §5.3 */
const fetchUserFacts = async (
  account: Account,
  accessToken: string,
  configuration: client.Configuration,
  options: UpstreamOptions,
): Promise<UserFacts | undefined> => {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    const claims = await client.fetchUserInfo(configuration, accessToken, account.subject);
    return readUserFacts(claims, options);
  } catch (error) {
    const code = findFailureCode(error);
    if (code === ANOTHER_SUBJECT) throw error;
    options.onFailure(`UserInfo at ${options.settings.issuer}: ${code}`);
    return undefined;
  }
};

/** Returns the last groups until they are too old: a user may have been removed from them. */
const pickRecentGroups = (
  { groups, groupsAt, checkedAt }: Account,
  { groupsMs, now }: UpstreamOptions,
): Pick<UserFacts, 'groups' | 'groupsAt'> => {
  const statedAt = groupsAt ?? checkedAt;
  if (groups === undefined || now() - statedAt >= groupsMs) return {};
  return { groups, groupsAt: statedAt };
};

/**
 * Returns the facts about a user after a refresh without an ID token, which OpenID Connect Core §12.2 permits: those of the UserInfo
 * endpoint, and the last ones where it does not state them. Groups that are not stated again are dropped after a time. Rejects when the
 * endpoint names another user.
 */
const resolveUserFacts = async (
  account: Account,
  accessToken: string,
  configuration: client.Configuration,
  options: UpstreamOptions,
): Promise<UserFacts> => {
  const stated = await fetchUserFacts(account, accessToken, configuration, options);
  const { email, name } = account;
  const known = {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  };
  return {
    ...(stated === undefined ? known : {}),
    ...pickRecentGroups(account, options),
    ...stated,
  };
};

/** Tokens of the provider and the facts that they state. */
export type SignedIn = Omit<Account, 'checkedAt' | 'hasEnded'>;

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/**
 * Returns the account that an ID token states; `undefined` for a response without one. The library checks the signature, the issuer, the
 * audience and the expiry. Rejects a token that the resource server would refuse for its subject or its time.
 */
export const readAccount = (tokens: Tokens, options: ClaimOptions): SignedIn | undefined => {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) return undefined;
  if (readSubject(claims.sub) === undefined) throw new Error('the ID token names no subject');
  if (isFromFuture(claims, options.now())) throw new Error('the ID token is from the future');
  const { refresh_token: refreshToken } = tokens;
  return {
    ...readFacts(claims, options),
    idToken: tokens.id_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
};

/** Returns the account after a refresh: of its ID token, else with the facts of UserInfo. Rejects when the response is about another user. */
export const readRefreshedAccount = async (
  tokens: Tokens,
  account: Account,
  configuration: client.Configuration,
  options: UpstreamOptions,
): Promise<SignedIn> => {
  const refreshToken = tokens.refresh_token ?? account.refreshToken;
  const refreshable = refreshToken === undefined ? {} : { refreshToken };
  const claimed = readAccount(tokens, options);
  if (claimed !== undefined) {
    // OpenID Connect Core §12.2: a refreshed ID token is about the same user.
    if (claimed.subject !== account.subject) throw new Error('another subject');
    return { ...claimed, ...refreshable };
  }
  const facts = await resolveUserFacts(account, tokens.access_token, configuration, options);
  const { issuer, subject, idToken, idTokenExpiresAt, audiences } = account;
  return { issuer, subject, idToken, idTokenExpiresAt, audiences, ...facts, ...refreshable };
};
