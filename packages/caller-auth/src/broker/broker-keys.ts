import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StateStore } from '@gateway/state-store';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The keys of the authorization server. All processes with the same store use the same keys. */
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

/** Lifetime of keys in the store. Keys also verify in the period before and after their signing period. */
const KEY_MS = 4 * PERIOD_MS;

const createKeyPeriod = async (period: number): Promise<KeyPeriod> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
  const signing = { ...(await exportJWK(privateKey)), kid: `p${period}`, use: 'sig', alg: 'RS256' };
  return { signing, cookie: randomBytes(32).toString('base64url') };
};

const loadPeriod = async (store: StateStore, period: number): Promise<KeyPeriod> => {
  const key = ['broker-keys', period.toString()] as const;
  const stored = await store.get(key);
  if (stored !== undefined) return JSON.parse(stored) as KeyPeriod;
  const generated = await createKeyPeriod(period);
  if (await store.add(key, JSON.stringify(generated), { ttlMs: KEY_MS })) return generated;
  const other = await store.get(key);
  return other === undefined ? generated : (JSON.parse(other) as KeyPeriod);
};

/**
 * Returns the keys of the current period, with the next and previous keys for verification. Generates missing keys; if several
 * processes generate keys at the same time, the first write wins.
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

/** Returns the anti-forgery token of a form, bound to its subject. */
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
