import type { Principal } from '@gateway/call-contract';
import { LRUCache } from 'lru-cache';
import type { IssuerSettings } from './issuer-settings.ts';
import { parseUnverifiedJwt } from './jwt-text.ts';

/** A token for downstream servers, or the reason why there is none. */
export type ForwardedTokenOutcome =
  | {
      readonly ok: true;
      /** Secret. */
      readonly token: string;
      /** Milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | { readonly ok: false; readonly code: 'signed-out' | 'not-forwardable' }
  | { readonly ok: false; readonly code: 'audience-missing'; readonly audience: string };

interface Stored {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const MAX_PRINCIPALS = 10_000;

/** Options of {@link ForwardedTokens}. */
export interface ForwardedTokensOptions {
  readonly issuers: readonly Pick<IssuerSettings, 'issuer' | 'forwardable'>[];
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a person has a token after they had none, or one with other audiences. */
  readonly onChanged?: (principal: Principal) => void;
}

/** The latest verified tokens of issuers that permit forwarding, one per person, in the memory of this process. */
export class ForwardedTokens {
  readonly #stored = new LRUCache<string, Stored>({ max: MAX_PRINCIPALS });
  readonly #now: () => number;
  readonly #onChanged: (principal: Principal) => void;
  readonly #notForwardable: ReadonlySet<string>;

  constructor({ issuers, now, onChanged = () => undefined }: ForwardedTokensOptions) {
    this.#now = now;
    this.#onChanged = onChanged;
    this.#notForwardable = new Set(
      issuers.filter(({ forwardable }) => !forwardable).map(({ issuer }) => issuer),
    );
  }

  /** Stores the verified token of a person, unless a stored one expires later. */
  store(principal: Principal, token: string, expiresAt: number): void {
    const { key } = principal;
    const stored = this.#stored.get(key);
    if (stored !== undefined && stored.expiresAt >= expiresAt) return;
    const aud = parseUnverifiedJwt(token)?.claims['aud'];
    const audiences = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string');
    this.#stored.set(key, { token, audiences, expiresAt });
    const isKnown = stored !== undefined && stored.expiresAt > this.#now();
    if (!isKnown || !isSame(stored.audiences, audiences)) this.#onChanged(principal);
  }

  /** Returns the token of a person with all these audiences. Never rejects. */
  idToken(
    { key, issuer }: Principal,
    { audiences }: { readonly audiences: readonly string[] },
  ): Promise<ForwardedTokenOutcome> {
    const isForwardable = issuer === undefined || !this.#notForwardable.has(issuer);
    return Promise.resolve(
      isForwardable ? this.#find(key, audiences) : { ok: false, code: 'not-forwardable' },
    );
  }

  #find(key: string, wanted: readonly string[]): ForwardedTokenOutcome {
    const stored = this.#stored.get(key);
    if (stored === undefined || stored.expiresAt <= this.#now())
      return { ok: false, code: 'signed-out' };
    const audience = wanted.find((one) => !stored.audiences.includes(one));
    if (audience !== undefined) return { ok: false, code: 'audience-missing', audience };
    return { ok: true, token: stored.token, expiresAt: stored.expiresAt };
  }
}
