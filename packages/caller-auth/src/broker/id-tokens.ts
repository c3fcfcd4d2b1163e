import type {
  IdTokenSource,
  IdTokenOutcome,
  Principal,
  IdTokenRequirements,
} from '@gateway/call-contract';
import {
  createKeyedLock,
  type KeyedLock,
  LockTimeoutError,
  type StateStore,
} from '@gateway/state-store';
import { type Account, computeAccountId, type Accounts } from './upstream-account.ts';
import type { UpstreamProvider } from './upstream-provider.ts';

/** Confirms with the provider that a user is still signed in. */
export interface UpstreamSessions extends IdTokenSource {
  /** Returns the account, confirmed by the provider if it can be, for a limited time otherwise; undefined when the user must sign in again. */
  confirm(accountId: string): Promise<Account | undefined>;
}

interface UpstreamSessionsOptions {
  readonly accounts: Accounts;
  readonly store: StateStore;
  readonly upstream: UpstreamProvider;
  /** Time for which a sign-in that the provider cannot confirm continues, in milliseconds: it is away, or gives no refresh token. */
  readonly unconfirmedMs: number;
  readonly now: () => number;
}

/** Remaining lifetime at which an ID token is refreshed, in milliseconds. */
const REFRESH_BEFORE_MS = 5 * 60_000;

/** Interval of refreshes for a provider whose ID tokens live shorter than {@link REFRESH_BEFORE_MS}, in milliseconds. */
const SHORT_TOKEN_MS = 30_000;

/** Time for which a confirmation by the provider is reused, so that clients that refresh at once cause one request, in milliseconds. */
const CONFIRMED_MS = 5000;

type RefreshOutcome =
  | { readonly ok: true; readonly account: Account }
  | { readonly ok: false; readonly code: 'signed-out' | 'unavailable' };

const refreshNow = async (
  { accounts, upstream, now }: UpstreamSessionsOptions,
  account: Account,
): Promise<RefreshOutcome> => {
  const outcome = await upstream.refresh(account);
  if (outcome.ok) {
    const refreshed = { ...outcome.value, checkedAt: now() };
    await accounts.save(refreshed);
    return { ok: true, account: refreshed };
  }
  if (outcome.code !== 'ended') return { ok: false, code: 'unavailable' };
  // Recorded once: later requests do not ask the provider again.
  const { refreshToken: _refreshToken, ...rest } = account;
  await accounts.save({ ...rest, hasEnded: true });
  return { ok: false, code: 'signed-out' };
};

const isUsable = (account: Account | undefined): account is Account =>
  account !== undefined && account.hasEnded === undefined;

/** Refreshes an account unless it was refreshed after a time. One process refreshes it at a time. */
const refreshOnce = (
  options: UpstreamSessionsOptions,
  lock: KeyedLock,
  accountId: string,
  since: number,
): Promise<RefreshOutcome> =>
  lock(['broker-refresh-lock', accountId], async (): Promise<RefreshOutcome> => {
    const account = await options.accounts.find(accountId);
    if (!isUsable(account)) return { ok: false, code: 'signed-out' };
    if (account.checkedAt > since) return { ok: true, account };
    return account.refreshToken === undefined
      ? { ok: false, code: 'signed-out' }
      : refreshNow(options, account);
  }).catch((error: unknown): RefreshOutcome => {
    if (error instanceof LockTimeoutError) return { ok: false, code: 'unavailable' };
    throw error;
  });

const findMissingAudience = (account: Account, audiences: readonly string[]): string | undefined =>
  audiences.find((audience) => !account.audiences.includes(audience));

const toIdToken = (account: Account, audiences: readonly string[]): IdTokenOutcome => {
  const audience = findMissingAudience(account, audiences);
  return audience === undefined
    ? { ok: true, token: account.idToken, expiresAt: account.idTokenExpiresAt }
    : { ok: false, code: 'audience-missing', audience };
};

type Refresh = (accountId: string, since: number) => Promise<RefreshOutcome>;

/** Returns one running refresh per account for all callers of this process. */
const shareRefreshes = (options: UpstreamSessionsOptions): Refresh => {
  const lock = createKeyedLock(options.store);
  const running = new Map<string, Promise<RefreshOutcome>>();
  return (accountId, since) => {
    const existing = running.get(accountId);
    if (existing !== undefined) return existing;
    const started = refreshOnce(options, lock, accountId, since).finally(() =>
      running.delete(accountId),
    );
    running.set(accountId, started);
    return started;
  };
};

const confirm = async (
  { accounts, now, unconfirmedMs }: UpstreamSessionsOptions,
  refresh: Refresh,
  accountId: string,
): Promise<Account | undefined> => {
  const account = await accounts.find(accountId);
  if (!isUsable(account)) return undefined;
  const age = now() - account.checkedAt;
  if (age < CONFIRMED_MS) return account;
  if (account.refreshToken !== undefined) {
    const refreshed = await refresh(accountId, account.checkedAt);
    if (refreshed.ok) return refreshed.account;
    if (refreshed.code === 'signed-out') return undefined;
  }
  return age < unconfirmedMs ? account : undefined;
};

/** Returns the sign-ins at the OpenID provider: their ID tokens, and whether they still exist. */
export const createUpstreamSessions = (options: UpstreamSessionsOptions): UpstreamSessions => {
  const { accounts, now } = options;
  const refresh = shareRefreshes(options);
  const current = async (
    principal: Principal,
    { audiences, refusedToken }: IdTokenRequirements,
  ): Promise<IdTokenOutcome> => {
    const accountId = computeAccountId(principal.key);
    const account = await accounts.find(accountId);
    if (!isUsable(account)) return { ok: false, code: 'signed-out' };
    const remaining = account.idTokenExpiresAt - now();
    // A provider whose ID tokens live shorter than the margin is not asked at each call.
    const isFresh = remaining > 0 && now() - account.checkedAt < SHORT_TOKEN_MS;
    const isLasting = remaining > REFRESH_BEFORE_MS && account.idToken !== refusedToken;
    if (isLasting || isFresh) return toIdToken(account, audiences);
    const refreshed = await refresh(accountId, account.checkedAt);
    if (refreshed.ok && refreshed.account.idTokenExpiresAt > now())
      return toIdToken(refreshed.account, audiences);
    // A provider that is away, or that gives no refresh token, does not end a token that is still valid.
    if (remaining > 0) return toIdToken(account, audiences);
    return { ok: false, code: refreshed.ok ? 'signed-out' : refreshed.code };
  };
  return {
    idToken: async (principal, required) => {
      try {
        return await current(principal, required);
      } catch {
        return { ok: false, code: 'unavailable' };
      }
    },
    confirm: (accountId) => confirm(options, refresh, accountId),
  };
};
