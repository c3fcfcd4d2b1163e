import { isIP, type LookupFunction } from 'node:net';
import { findAddressRefusal, isLoopbackAddress, isOwnNetwork } from './address-refusal.ts';
import type { HostAddress, ResolveHost } from './resolve-host.ts';

/** The reasons why a guarded request has no response. */
type GuardedFetchCode =
  /** The URL or an address of its host is not allowed; nothing was sent. */
  | 'refused'
  /** The host is unknown, does not accept connections, or the connection failed. */
  | 'unreachable'
  /** The response was not complete in time. */
  | 'timeout'
  /** The signal of the caller was aborted. */
  | 'aborted'
  /** The response is a redirect, which is not followed. */
  | 'redirect'
  /** The response is larger than the limit. */
  | 'too-large';

/** The failure of a guarded request. `message` is one line without query, headers or text of the peer. */
export class GuardedFetchError extends Error {
  readonly code: GuardedFetchCode;

  constructor(code: GuardedFetchCode, message: string) {
    super(message);
    this.name = 'GuardedFetchError';
    this.code = code;
  }
}

export interface GuardRules {
  readonly allowPrivate: boolean;
  /** The addresses to which http may be used. */
  readonly plain: 'all' | 'own-network' | 'loopback';
  readonly resolve: ResolveHost;
  readonly signal: AbortSignal;
}

/** RFC 1035 §2.3.4 */
const MAX_HOST_CHARS = 255;

const refuse = (detail: string): never => {
  throw new GuardedFetchError('refused', detail);
};

/** Parses a URL that others name. Throws a {@link GuardedFetchError} with the code `refused`. */
export const parseTargetUrl = (text: string): URL => {
  if (!URL.canParse(text)) return refuse('the URL is not valid');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('the URL must begin with http:// or https://');
  if (url.username !== '' || url.password !== '')
    return refuse('the URL must not hold credentials; send them as headers');
  return url.hostname.length <= MAX_HOST_CHARS ? url : refuse('the host of the URL is too long');
};

const PLAIN: Readonly<Record<GuardRules['plain'], (address: string) => boolean>> = {
  all: () => true,
  'own-network': isOwnNetwork,
  loopback: isLoopbackAddress,
};

/**
 * Checks where the requests to one URL connect to. An address in the URL is checked at once. A name is resolved when the first connection
 * opens, all its addresses are checked, and all connections use them. A proxy resolves the names of the requests that it forwards.
 */
export class Guard {
  readonly url: URL;
  readonly #host: string;
  readonly #rules: GuardRules;
  #checked: Promise<HostAddress[]> | undefined;
  #isResolving = false;
  #refusal: GuardedFetchError | undefined;

  /** @throws {GuardedFetchError} `refused` for an address that is not allowed */
  constructor(url: URL, rules: GuardRules) {
    this.url = url;
    this.#rules = rules;
    this.#host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(this.#host);
    if (family !== 0) this.#check([{ address: this.#host, family }]);
  }

  /** Returns whether the addresses of the host are still unknown to a connection. */
  get isResolving(): boolean {
    return this.#isResolving;
  }

  get refusal(): GuardedFetchError | undefined {
    return this.#refusal;
  }

  readonly lookup: LookupFunction = (_host, { all }, callback) => {
    this.#checked ??= this.#resolve();
    this.#checked.then(
      (addresses) => {
        const [first = { address: '', family: 0 }] = addresses;
        if (all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), '', 0);
      },
    );
  };

  async #resolve(): Promise<HostAddress[]> {
    this.#isResolving = true;
    try {
      const addresses = await this.#rules.resolve(this.#host, this.#rules.signal);
      if (addresses.length === 0) throw new Error('the host has no address');
      this.#check(addresses);
      return [...addresses];
    } finally {
      this.#isResolving = false;
    }
  }

  /** Every address must be allowed, because a connection may use any of them. */
  #check(addresses: readonly HostAddress[]): void {
    const { plain, allowPrivate } = this.#rules;
    for (const { address } of addresses) {
      const refusal = findAddressRefusal(address);
      if (refusal === undefined || (refusal.allowable && allowPrivate)) continue;
      const why = refusal.allowable ? 'which is not allowed here' : 'which is never asked';
      this.#refuse(`${this.#host} has ${refusal.what}, ${why}`);
    }
    if (this.url.protocol === 'http:' && !addresses.every(({ address }) => PLAIN[plain](address)))
      this.#refuse('http may be used for loopback addresses only; use https');
  }

  #refuse(detail: string): never {
    this.#refusal = new GuardedFetchError('refused', detail);
    throw this.#refusal;
  }
}
