import { isIP } from 'node:net';
import { addressRefusal } from './address-refusal.ts';
import type { HostAddress, ResolveHost } from './resolve-host.ts';

/** A target whose addresses are checked. They must not be resolved again. */
export interface CheckedTarget {
  readonly url: URL;
  readonly addresses: readonly HostAddress[];
}

/** A target, or the reason why there is none. */
export type CheckedTargetOutcome =
  | { readonly kind: 'target'; readonly target: CheckedTarget }
  /** The host has no address, or its addresses are unknown. */
  | { readonly kind: 'none'; readonly error: unknown }
  /** `detail` is one line with the host, and without other parts of the URL. */
  | { readonly kind: 'refused'; readonly detail: string };

/** RFC 1035 §2.3.4 */
const MAX_HOST_CHARS = 255;

const refused = (detail: string): CheckedTargetOutcome => ({ kind: 'refused', detail });

/** Returns the URL when it is allowed; otherwise the sentence that refuses it. */
const checkedUrl = (text: string): URL | string => {
  if (!URL.canParse(text)) return 'the URL is not valid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return 'the URL must begin with http:// or https://';
  }
  if (url.username !== '' || url.password !== '') {
    return 'the URL must not hold credentials; send them as headers';
  }
  return url.hostname.length <= MAX_HOST_CHARS ? url : 'the host of the URL is too long';
};

/** Every address must be allowed, because a connection may use any of them. */
const refusalOf = (
  host: string,
  addresses: readonly HostAddress[],
  allowPrivate: boolean,
): string | undefined => {
  for (const { address } of addresses) {
    const refusal = addressRefusal(address);
    if (refusal === undefined || (refusal.allowable && allowPrivate)) continue;
    const why = refusal.allowable ? 'which is not allowed here' : 'which is never asked';
    return `${host} has ${refusal.what}, ${why}`;
  }
  return undefined;
};

/** The options of the check. */
export interface TargetCheck {
  /** Allows addresses of the own network for this URL. */
  readonly allowPrivate: boolean | ((url: URL) => boolean);
  readonly resolve: ResolveHost;
  readonly signal: AbortSignal;
}

/** Resolves the host of a URL once and checks all its addresses. */
export const checkedTarget = async (
  text: string,
  { allowPrivate, resolve, signal }: TargetCheck,
): Promise<CheckedTargetOutcome> => {
  const url = checkedUrl(text);
  if (typeof url === 'string') return refused(url);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  let addresses: readonly HostAddress[];
  try {
    addresses = family === 0 ? await resolve(host, signal) : [{ address: host, family }];
  } catch (error) {
    return { kind: 'none', error };
  }
  if (addresses.length === 0) return { kind: 'none', error: new Error('the host has no address') };
  const isAllowed = typeof allowPrivate === 'function' ? allowPrivate(url) : allowPrivate;
  const refusal = refusalOf(host, addresses, isAllowed);
  return refusal === undefined ? { kind: 'target', target: { url, addresses } } : refused(refusal);
};
