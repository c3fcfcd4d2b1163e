import { createHash } from 'node:crypto';
import type { Principal } from '@gateway/call-contract';
import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';
import { permittedScopes } from '../server/gateway-scopes.ts';
import type { ServerContext } from '../server/server-context.ts';
import { principalOf } from '../upstream/account.ts';

/** Result of the verification of an access token. */
export type VerifiedToken =
  | {
      readonly ok: true;
      readonly principal: Principal;
      /** Expiry of the token in milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | { readonly ok: false; readonly code: 'unknown-token' | 'unavailable' };

/** Verifies access tokens of this server; synchronous when the result is in memory. Never rejects. */
export type VerifyToken = (token: string) => VerifiedToken | Promise<VerifiedToken>;

/** Time for which a result is reused: a revoked token ends within it, in milliseconds. */
const REUSE_MS = 5000;
const MAX_TOKENS = 20_000;

/** Access tokens of this server: 256 random bits. */
const FORM = /^[\w-]{43}$/u;

const UNKNOWN: VerifiedToken = { ok: false, code: 'unknown-token' };

interface Remembered {
  readonly until: number;
  readonly result: VerifiedToken;
}

const lookUp = async (
  { resource, accounts, adminGroups, now }: ServerContext,
  provider: Provider,
  token: string,
): Promise<VerifiedToken> => {
  const stored = await provider.AccessToken.find(token);
  if (stored === undefined || stored.aud !== resource) return UNKNOWN;
  const [grant, account] = await Promise.all([
    provider.Grant.find(stored.grantId),
    accounts.find(stored.accountId),
  ]);
  const expiresAt = (stored.exp ?? 0) * 1000;
  if (grant === undefined || account === undefined || expiresAt <= now()) return UNKNOWN;
  const scopes = permittedScopes([...stored.scopes], account, adminGroups);
  return { ok: true, principal: { ...principalOf(account), scopes }, expiresAt };
};

/** Returns the verification of access tokens, with a bounded cache. */
export const createTokenVerification = (
  context: ServerContext,
  provider: Provider,
): VerifyToken => {
  const { now } = context;
  const remembered = new LRUCache<string, Remembered>({ max: MAX_TOKENS });
  const running = new Map<string, Promise<VerifiedToken>>();
  const verify = async (digest: string, token: string): Promise<VerifiedToken> => {
    try {
      const result = await lookUp(context, provider, token);
      const expiresAt = result.ok ? result.expiresAt : Number.POSITIVE_INFINITY;
      remembered.set(digest, { result, until: Math.min(now() + REUSE_MS, expiresAt) });
      return result;
    } catch {
      return { ok: false, code: 'unavailable' };
    } finally {
      running.delete(digest);
    }
  };
  return (token) => {
    if (!FORM.test(token)) return UNKNOWN;
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = remembered.get(digest);
    if (known !== undefined && known.until > now()) return known.result;
    const existing = running.get(digest);
    if (existing !== undefined) return existing;
    const started = verify(digest, token);
    running.set(digest, started);
    return started;
  };
};
