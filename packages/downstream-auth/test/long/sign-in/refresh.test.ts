import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, clockedScene, testGateway } from '../../sign-in/test-gateway.ts';

/** A signed-in user whose access token lasts an hour. */
const signedIn = async (options: Parameters<typeof clockedScene>[0] = {}) => {
  const all = await clockedScene(options);
  await all.gateway.signIn(all.tools, ALICE);
  const { credentials } = all.gateway.auth;
  const current = async () => credentials.current(all.tools, ALICE);
  const id = async (): Promise<string> => {
    const outcome = await current();
    return outcome.ok ? outcome.credential.id : outcome.code;
  };
  const refreshes = (): number => all.issuer.count('/token', { grant_type: 'refresh_token' });
  const request = (principal = ALICE) => all.gateway.request(all.tools, principal);
  return { ...all, credentials, current, id, refreshes, request };
};

/** Resolves when the condition holds. */
const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await condition())) await new Promise(setImmediate);
};

describe('a token', () => {
  it('is read from memory without a promise while it is fresh', async () => {
    const { credentials, tools, id, refreshes } = await signedIn();
    await id();
    const outcome = credentials.current(tools, ALICE);
    expect(outcome).not.toBeInstanceOf(Promise);
    expect(outcome).toBe(credentials.current(tools, ALICE));
    expect(refreshes()).toBe(0);
  });

  it('is refreshed in the background when less than 5 minutes are left', async () => {
    const { credentials, tools, id, move, refreshes } = await signedIn();
    const first = await id();
    move(3_600 - 299);
    const outcome = credentials.current(tools, ALICE);
    expect(outcome).toMatchObject({ ok: true, credential: { id: first } });
    await until(async () => (await id()) !== first);
    expect(refreshes()).toBe(1);
  });

  it('is refreshed before it is used after its end, each time with the rotated refresh token', async () => {
    const { move, request, refreshes } = await signedIn();
    for (let time = 0; time < 3; time += 1) {
      move(4_000);
      expect(await request()).toBe(200);
    }
    expect(refreshes()).toBe(3);
  });

  it('is refreshed once for 100 concurrent requests', async () => {
    const { move, id, refreshes } = await signedIn();
    move(4_000);
    const ids = new Set(await Promise.all(Array.from({ length: 100 }, id)));
    expect([ids.size, refreshes()]).toEqual([1, 1]);
  });

  it('is refreshed once for two gateways with one store', async () => {
    const store = createMemoryStore();
    const { gateway, tools, clock, move, refreshes } = await signedIn({ gateway: { store } });
    const other = await testGateway({ store, clock });
    other.servers.push(tools);
    expect(await other.request(tools, ALICE)).toBe(200);
    move(4_000);
    const all = [gateway, other, gateway, other].map((one) =>
      Promise.resolve(one.auth.credentials.current(tools, ALICE)),
    );
    const ids = new Set((await Promise.all(all)).map((one) => (one.ok ? one.credential.id : one)));
    expect([ids.size, refreshes()]).toEqual([1, 1]);
  });

  it('stays in use until it ends when the provider does not answer', async () => {
    const { issuer, id, move, current } = await signedIn();
    const first = await id();
    let refused = 0;
    issuer.setFault(({ path }) => {
      if (path !== '/token') return undefined;
      refused += 1;
      return { status: 503 };
    });
    move(3_600 - 200);
    expect(await id()).toBe(first);
    await until(() => refused > 0);
    expect(await id()).toBe(first);
    move(300);
    expect(await current()).toMatchObject({ ok: false, code: 'unavailable' });
    issuer.setFault(undefined);
    move(10);
    expect((await current()).ok).toBe(true);
  });

  it('ends with one attempt when the provider revoked the sign-in', async () => {
    const { gateway, tools, issuer, move, current, refreshes, request } = await signedIn();
    const changes: unknown[] = [];
    gateway.auth.credentials.onChange((change) => changes.push(change));
    issuer.revokeUser('alice');
    const code = 'sign-in-again';
    const reason =
      'The sign-in to server "tools" has ended: its authorization server answered invalid_grant. Sign in again.';
    move(4_000);
    for (let time = 0; time < 6; time += 1) {
      expect(await current()).toEqual({ ok: false, code, reason });
      move(60);
    }
    expect(refreshes()).toBe(1);
    expect(changes).toEqual([{ server: 'tools', principalKey: ALICE.key }]);
    expect(await gateway.auth.status(ALICE)).toMatchObject([{ status: code, reason }]);
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'challenge', reason });
    await gateway.signIn(tools, ALICE);
    expect(await request()).toBe(200);
  });

  it('ends when it has no refresh token', async () => {
    const { current, move } = await signedIn({ provider: { refreshTokens: 'never' } });
    expect((await current()).ok).toBe(true);
    move(4_000);
    const reason = 'The sign-in to server "tools" has expired. Sign in again.';
    expect(await current()).toEqual({ ok: false, code: 'sign-in-again', reason });
  });
});

describe('a refusal of the server', () => {
  it('with 401 is answered with a refreshed token, once', async () => {
    const { peer, request, refreshes } = await signedIn();
    peer.rejectNext(1);
    expect(await request()).toBe(200);
    expect(refreshes()).toBe(1);
  });

  it('with 401 of 100 concurrent requests causes one refresh', async () => {
    const { reject, refreshes } = await signedIn();
    const { credential, renew } = await reject(401);
    const renewed = await Promise.all(Array.from({ length: 100 }, renew));
    const ids = new Set(renewed.map((one) => (one.ok ? one.credential.id : one.code)));
    expect([ids.size, ids.has(credential.id), refreshes()]).toEqual([1, false, 1]);
  });

  it('with 401 of the new token too ends the sign-in, without more refreshes', async () => {
    const { gateway, tools, peer, request, refreshes } = await signedIn();
    peer.rejectNext(1_000);
    const outcomes = [await request(), await request(), await request()];
    expect(outcomes).toEqual([401, 'sign-in-again', 'sign-in-again']);
    expect(refreshes()).toBe(1);
    const reason = 'Server "tools" does not accept the token of this sign-in. Sign in again.';
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'challenge', reason });
  });

  it('with 401 of one user does not concern another user', async () => {
    const { gateway, tools, peer, request } = await signedIn();
    await gateway.signIn(tools, BOB);
    peer.rejectNext(2);
    await request();
    expect(await request(BOB)).toBe(200);
  });

  it('that names more scopes requires a sign-in with the union of scopes', async () => {
    const { gateway, tools, peer, reject, id, request } = await signedIn();
    const challenge = 'Bearer error="insufficient_scope", scope="mcp:admin"';
    const { credential, renew } = await reject(403, challenge);
    const code = 'sign-in-again';
    const reason = 'Server "tools" requires the scopes "mcp:admin". Sign in again to grant them.';
    expect(await renew()).toEqual({ ok: false, code, reason });
    // The token is still valid for what it grants.
    expect(await id()).toBe(credential.id);
    expect(await gateway.auth.status(ALICE)).toMatchObject([{ status: code }]);
    await gateway.signIn(tools, ALICE);
    peer.setToolScopes({});
    expect(await request()).toBe(200);
    const granted = { status: 'signed-in', scope: 'mcp mcp:admin offline_access' };
    expect(await gateway.auth.status(ALICE)).toMatchObject([granted]);
  });

  it('that repeats the scopes after each sign-in is believed three times', async () => {
    const { gateway, tools, reject } = await signedIn();
    const refuse = async () =>
      (await reject(403, 'Bearer error="insufficient_scope", scope="mcp"')).renew();
    const reason = 'Server "tools" requires the scopes "mcp". Sign in again to grant them.';
    for (let time = 0; time < 3; time += 1) {
      expect(await refuse()).toMatchObject({ reason });
      await gateway.signIn(tools, ALICE);
    }
    expect(await refuse()).toMatchObject({
      code: 'sign-in-again',
      reason:
        'Server "tools" still requires the scopes "mcp" after they were requested; the sign-in does not grant them.',
    });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'signed-in' });
  });
});
