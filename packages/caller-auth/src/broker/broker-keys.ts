import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StateStore } from '@gateway/state-store';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The keys of the authorization server. All processes with one store have the same ones. */
export interface BrokerKeys {
  /** Keys for ID tokens; the first one signs. */
  readonly signing: readonly JWK[];
  /** Keys for cookies and forms; the first one signs. */
  readonly cookies: readonly string[];
  /** Time from which the keys of the next period sign, in milliseconds since the epoch. */
  readonly renewAt: number;
}

interface KeyPeriod {
  readonly signing: JWK;
  readonly cookie: string;
}

const DAY_MS = 86_400_000;

/** Time after which new keys sign, in milliseconds. */
const PERIOD_MS = 90 * DAY_MS;

/** Lifetime of keys in the store: they verify for a period before and a period after the one in which they sign. */
const KEY_MS = 4 * PERIOD_MS;

const generate = async (period: number): Promise<KeyPeriod> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
  const signing = { ...(await exportJWK(privateKey)), kid: `p${period}`, use: 'sig', alg: 'RS256' };
  return { signing, cookie: randomBytes(32).toString('base64url') };
};

const loadPeriod = async (store: StateStore, period: number): Promise<KeyPeriod> => {
  const key = ['broker-keys', period.toString()] as const;
  const stored = await store.get(key);
  if (stored !== undefined) return JSON.parse(stored) as KeyPeriod;
  const generated = await generate(period);
  if (await store.add(key, JSON.stringify(generated), { ttlMs: KEY_MS })) return generated;
  const other = await store.get(key);
  return other === undefined ? generated : (JSON.parse(other) as KeyPeriod);
};

/**
 * Returns the keys of the current period, and those of the next and of the last one for verification. Missing keys are generated; of
 * several processes that generate keys at the same time, the first one writes them.
 *
 * @param now current time in milliseconds
 */
export const loadBrokerKeys = async (store: StateStore, now: number): Promise<BrokerKeys> => {
  const period = Math.floor(now / PERIOD_MS);
  const current = await loadPeriod(store, period);
  const next = await loadPeriod(store, period + 1);
  const last = await store.get(['broker-keys', (period - 1).toString()]);
  const all = [current, next, ...(last === undefined ? [] : [JSON.parse(last) as KeyPeriod])];
  return {
    signing: all.map(({ signing }) => signing),
    cookies: all.map(({ cookie }) => cookie),
    renewAt: (period + 1) * PERIOD_MS,
  };
};

const computeMac = (key: string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Returns the token that a form must contain, bound to what the form is about. */
export const computeFormToken = (keys: BrokerKeys, subject: string): string =>
  computeMac(keys.cookies[0] ?? '', `form:${subject}`).toString('base64url');

/** Returns whether a form contains the token of {@link computeFormToken}; compares in constant time. */
export const isFormToken = (keys: BrokerKeys, subject: string, token: string): boolean => {
  const given = Buffer.from(token, 'base64url');
  return keys.cookies.some((key) => {
    const mac = computeMac(key, `form:${subject}`);
    return mac.byteLength === given.byteLength && timingSafeEqual(mac, given);
  });
};
