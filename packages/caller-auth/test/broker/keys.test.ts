import { createMemoryStore, StateStoreError, type StateStore } from '@gateway/state-store';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  clientBrowser,
  continueUntil,
  isConsent,
  redirected,
  start,
  submitForm,
} from './harness/client.ts';

const PERIOD_MS = 90 * 86_400_000;

/** A gateway whose clock stands one minute before the end of a period, and moves on a step. */
const startBeforePeriod = async (store?: StateStore) => {
  let now = Math.ceil(Date.now() / PERIOD_MS) * PERIOD_MS - 60_000;
  const gateway = await start({ now: () => now, ...(store !== undefined && { store }) });
  const readKeys = async (): Promise<JSONWebKeySet> =>
    (await (await fetch(`${gateway.url}/oauth/jwks`)).json()) as JSONWebKeySet;
  return {
    ...gateway,
    step: (ms: number): number => (now += ms),
    readKeys,
    listKeys: async () => (await readKeys()).keys.map(({ kid }) => kid),
    /** Signs a user in and returns the ID token. */
    sign: async (): Promise<string> =>
      String((await gateway.signInAs('alice', { scope: 'openid mcp:read' })).body['id_token']),
  };
};

const findSigner = (token: string): string | undefined => decodeProtectedHeader(token).kid;

describe('the keys of the authorization server', () => {
  it('are renewed while it runs, and the new key is published for a whole period before it signs', async () => {
    const { url, step, listKeys, readKeys, sign } = await startBeforePeriod();
    const [first, second, ...others] = await listKeys();
    expect(others).toEqual([]);
    const before = await sign();
    expect(findSigner(before)).toBe(first);
    step(60_000);
    const ids = await listKeys();
    expect([ids[0], ids.length]).toEqual([second, 3]);
    const after = await sign();
    expect(findSigner(after)).toBe(second);
    const keySet = createLocalJWKSet(await readKeys());
    for (const token of [before, after])
      await expect(jwtVerify(token, keySet, { issuer: url })).resolves.toBeDefined();
    step(PERIOD_MS);
    expect(await listKeys()).not.toContain(first);
    expect(findSigner(await sign())).not.toBe(second);
  });

  it('serve a sign-in that began before they were renewed', async () => {
    const { request, exchange, step, listKeys } = await startBeforePeriod();
    const { url, verifier } = request();
    const browser = clientBrowser();
    const page = await continueUntil(isConsent, browser, await browser.open(url));
    step(60_000);
    expect(await listKeys()).toHaveLength(3);
    const code = redirected(await submitForm(browser, page)).get('code');
    expect(await exchange(code, verifier)).toMatchObject({ status: 200 });
  });

  it('stay in use while the store does not answer, and are renewed later', async () => {
    let isAway = false;
    const memory = createMemoryStore();
    onTestFinished(() => memory.close());
    const { failures, step, listKeys } = await startBeforePeriod({
      ...memory,
      get: (key) =>
        isAway && key[0] === 'broker-keys'
          ? Promise.reject(new StateStoreError('unavailable', 'The state store is not available.'))
          : memory.get(key),
    });
    const before = await listKeys();
    isAway = true;
    step(60_000);
    for (let time = 0; time < 2; time += 1) expect(await listKeys()).toEqual(before);
    expect(failures).toEqual(['keys cannot be renewed: StateStoreError']);
    isAway = false;
    step(60_000);
    expect((await listKeys())[0]).toBe(before[1]);
  });
});
