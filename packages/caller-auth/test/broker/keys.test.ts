import { createMemoryStore, StateStoreError, type StateStore } from '@gateway/state-store';
import type { VisitedPage } from '@gateway/test-peers';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  exchange,
  redirected,
  signInAs,
} from './harness/client.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './harness/gateway.ts';

const DAY_MS = 86_400_000;
const PERIOD_MS = 90 * DAY_MS;

/** A clock that stands one minute before the end of a period, and moves on a step. */
const clockBeforePeriod = () => {
  let now = Math.ceil(Date.now() / PERIOD_MS) * PERIOD_MS - 60_000;
  return { now: (): number => now, step: (ms: number): number => (now += ms) };
};

const start = async (options: TestGatewayOptions): Promise<TestGateway> => {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
};

const keysOf = async ({ url }: TestGateway): Promise<JSONWebKeySet> =>
  (await (await fetch(`${url}/oauth/jwks`)).json()) as JSONWebKeySet;

const idsOf = async (gateway: TestGateway): Promise<readonly (string | undefined)[]> =>
  (await keysOf(gateway)).keys.map(({ kid }) => kid);

const idTokenOf = async (gateway: TestGateway, user: string): Promise<string> => {
  const { body } = await signInAs(gateway, user, { scope: 'openid mcp:read' });
  return String(body['id_token']);
};

const signerOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;

const createForm = ({ forms: [form], text }: VisitedPage): VisitedPage['forms'][number] => {
  if (form === undefined) throw new Error(text);
  return form;
};

/** A store whose keys cannot be read while it is told to fail. */
const failingStore = () => {
  const state = { fails: false };
  const store = createMemoryStore();
  onTestFinished(() => store.close());
  const failing: StateStore = {
    ...store,
    get: (key) =>
      state.fails && key[0] === 'broker-keys'
        ? Promise.reject(new StateStoreError('unavailable', 'The state store is not available.'))
        : store.get(key),
  };
  return { state, store: failing };
};

describe('the keys of the authorization server', () => {
  it('are renewed while it runs, and the new key is published for a whole period before it signs', async () => {
    const { now, step } = clockBeforePeriod();
    const gateway = await start({ now });
    const [first, second, ...others] = await idsOf(gateway);
    expect(others).toEqual([]);
    const before = await idTokenOf(gateway, 'alice');
    expect(signerOf(before)).toBe(first);
    step(60_000);
    const ids = await idsOf(gateway);
    expect(ids.slice(0, 1)).toEqual([second]);
    expect(ids).toHaveLength(3);
    const after = await idTokenOf(gateway, 'alice');
    expect(signerOf(after)).toBe(second);
    const keySet = createLocalJWKSet(await keysOf(gateway));
    for (const token of [before, after])
      await expect(jwtVerify(token, keySet, { issuer: gateway.url })).resolves.toBeDefined();
    step(PERIOD_MS);
    expect(await idsOf(gateway)).not.toContain(first);
    expect(signerOf(await idTokenOf(gateway, 'alice'))).not.toBe(second);
  });

  it('serve a sign-in that began before they were renewed', async () => {
    const { now, step } = clockBeforePeriod();
    const gateway = await start({ now });
    const { url, verifier } = authorizationRequest(gateway);
    const browser = clientBrowser();
    let page = await browser.open(url);
    while (!page.text.includes('to use this gateway?')) {
      const fields = { login: 'alice', password: 'password' };
      page = await browser.submit(page, createForm(page), fields, createForm(page).buttons[0]);
    }
    step(60_000);
    expect(await idsOf(gateway)).toHaveLength(3);
    page = await browser.submit(page, createForm(page), {}, createForm(page).buttons[0]);
    const code = redirected(page).get('code');
    expect(await exchange(gateway, String(code), verifier)).toMatchObject({ status: 200 });
  });

  it('stay in use while the store does not answer, and are renewed later', async () => {
    const { now, step } = clockBeforePeriod();
    const { state, store } = failingStore();
    const gateway = await start({ now, store });
    const before = await idsOf(gateway);
    state.fails = true;
    step(60_000);
    expect(await idsOf(gateway)).toEqual(before);
    expect(await idsOf(gateway)).toEqual(before);
    expect(gateway.failures).toEqual(['keys cannot be renewed: StateStoreError']);
    state.fails = false;
    step(60_000);
    expect((await idsOf(gateway)).slice(0, 1)).toEqual(before.slice(1, 2));
  });
});
