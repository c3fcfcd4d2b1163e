import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import { scene } from '../../sign-in/scene.ts';
import { user, testGateway } from '../../sign-in/test-gateway.ts';

const ALICE = user('alice');
const REFRESH = { grant_type: 'refresh_token' };

/** A clock that tests move. */
const movableClock = () => {
  let ahead = 0;
  return {
    clock: () => Date.now() + ahead,
    move: (seconds: number) => {
      ahead += seconds * 1_000;
    },
  };
};

/** A signed-in user whose access token lasts an hour. */
const signedIn = async (options: Parameters<typeof scene>[0] = {}) => {
  const { clock, move } = movableClock();
  const all = await scene({
    ...options,
    provider: { accessTokenSeconds: 3_600, ...options.provider },
    gateway: { clock },
  });
  await all.gateway.signIn(all.tools, ALICE);
  const { credentials } = all.gateway.auth;
  const current = async () => credentials.current(all.tools, ALICE);
  const id = async (): Promise<string> => {
    const outcome = await current();
    return outcome.ok ? outcome.credential.id : outcome.code;
  };
  return { ...all, move, clock, credentials, current, id };
};

/** Resolves when the condition holds. */
const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await condition())) await new Promise(setImmediate);
};

describe('a token', () => {
  it('is read from memory without a promise while it is fresh', async () => {
    const { credentials, tools, issuer, id } = await signedIn();
    await id();
    const outcome = credentials.current(tools, ALICE);
    expect(outcome).not.toBeInstanceOf(Promise);
    expect(outcome).toBe(credentials.current(tools, ALICE));
    expect(issuer.count('/token', REFRESH)).toBe(0);
  });

  it('is refreshed in the background when less than 5 minutes are left', async () => {
    const { credentials, tools, issuer, id, move } = await signedIn();
    const first = await id();
    move(3_600 - 299);
    const outcome = credentials.current(tools, ALICE);
    expect(outcome).toMatchObject({ ok: true, credential: { id: first } });
    await until(async () => (await id()) !== first);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('is refreshed before it is used after its end', async () => {
    const { gateway, tools, issuer, move } = await signedIn();
    move(4_000);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('is refreshed once for 100 concurrent requests', async () => {
    const { issuer, move, id } = await signedIn();
    move(4_000);
    const ids = new Set(await Promise.all(Array.from({ length: 100 }, id)));
    expect(ids.size).toBe(1);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('is refreshed once for two gateways with one store', async () => {
    const store = createMemoryStore();
    const { clock, move } = movableClock();
    const { issuer, gateway, tools } = await scene({
      provider: { accessTokenSeconds: 3_600 },
      gateway: { clock, store },
    });
    const other = await testGateway({ store, clock });
    other.servers.push(tools);
    await gateway.signIn(tools, ALICE);
    expect(await other.request(tools, ALICE)).toBe(200);
    move(4_000);
    const all = [gateway, other, gateway, other].map((one) =>
      Promise.resolve(one.auth.credentials.current(tools, ALICE)),
    );
    const ids = new Set((await Promise.all(all)).map((one) => (one.ok ? one.credential.id : one)));
    expect(ids.size).toBe(1);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('is refreshed again with the rotated refresh token', async () => {
    const { gateway, tools, issuer, move } = await signedIn();
    for (let time = 0; time < 3; time += 1) {
      move(4_000);
      expect(await gateway.request(tools, ALICE)).toBe(200);
    }
    expect(issuer.count('/token', REFRESH)).toBe(3);
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
    const { gateway, tools, issuer, move, current } = await signedIn();
    const changes: unknown[] = [];
    gateway.auth.credentials.onChange((change) => changes.push(change));
    issuer.revokeUser('alice');
    move(4_000);
    const ended = {
      ok: false,
      code: 'sign-in-again',
      reason:
        'The sign-in to server "tools" has ended: its authorization server answered invalid_grant. Sign in again.',
    };
    expect(await current()).toEqual(ended);
    for (let time = 0; time < 5; time += 1) {
      move(60);
      expect(await current()).toEqual(ended);
    }
    expect(issuer.count('/token', REFRESH)).toBe(1);
    expect(changes).toEqual([{ server: 'tools', principalKey: ALICE.key }]);
    expect(await gateway.auth.status(ALICE)).toMatchObject([
      { status: 'sign-in-again', reason: ended.reason },
    ]);
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({
      code: 'challenge',
      reason: ended.reason,
    });
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it('ends when it has no refresh token', async () => {
    const { current, move } = await signedIn({ provider: { refreshTokens: 'never' } });
    expect((await current()).ok).toBe(true);
    move(4_000);
    expect(await current()).toEqual({
      ok: false,
      code: 'sign-in-again',
      reason: 'The sign-in to server "tools" has expired. Sign in again.',
    });
  });
});

describe('a refusal of the server', () => {
  it('with 401 is answered with a refreshed token, once', async () => {
    const { gateway, tools, peer, issuer } = await signedIn();
    peer.rejectNext(1);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('with 401 of 100 concurrent requests causes one refresh', async () => {
    const { credentials, tools, issuer, current } = await signedIn();
    const outcome = await current();
    if (!outcome.ok) throw new Error(outcome.reason);
    const rejection = {
      status: 401,
      challenge: undefined,
      credential: outcome.credential,
    } as const;
    const renewed = await Promise.all(
      Array.from({ length: 100 }, () => credentials.renewRejected(tools, ALICE, rejection)),
    );
    const ids = new Set(renewed.map((one) => (one.ok ? one.credential.id : one.code)));
    expect(ids.size).toBe(1);
    expect(ids.has(outcome.credential.id)).toBe(false);
    expect(issuer.count('/token', REFRESH)).toBe(1);
  });

  it('with 401 of the new token too ends the sign-in, without more refreshes', async () => {
    const { gateway, tools, peer, issuer } = await signedIn();
    peer.rejectNext(1_000);
    expect(await gateway.request(tools, ALICE)).toBe(401);
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-again');
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-again');
    expect(issuer.count('/token', REFRESH)).toBe(1);
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({
      code: 'challenge',
      reason: 'Server "tools" does not accept the token of this sign-in. Sign in again.',
    });
  });

  it('with 401 of one user does not concern another user', async () => {
    const { gateway, tools, peer } = await signedIn();
    const bob = user('bob');
    await gateway.signIn(tools, bob);
    peer.rejectNext(2);
    await gateway.request(tools, ALICE);
    expect(await gateway.request(tools, bob)).toBe(200);
  });

  it('that names more scopes requires a sign-in with the union of scopes', async () => {
    const { gateway, tools, peer, credentials, current, id } = await signedIn();
    const outcome = await current();
    if (!outcome.ok) throw new Error(outcome.reason);
    const { credential } = outcome;
    const challenge = 'Bearer error="insufficient_scope", scope="mcp:admin"';
    expect(
      await credentials.renewRejected(tools, ALICE, { status: 403, challenge, credential }),
    ).toEqual({
      ok: false,
      code: 'sign-in-again',
      reason: 'Server "tools" requires the scopes "mcp:admin". Sign in again to grant them.',
    });
    // The token is still valid for what it grants.
    expect(await id()).toBe(credential.id);
    expect(await gateway.auth.status(ALICE)).toMatchObject([{ status: 'sign-in-again' }]);
    await gateway.signIn(tools, ALICE);
    peer.setToolScopes({});
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(await gateway.auth.status(ALICE)).toMatchObject([
      { status: 'signed-in', scope: 'mcp mcp:admin offline_access' },
    ]);
  });

  it('that repeats the scopes after each sign-in is believed three times', async () => {
    const { gateway, tools, credentials, current } = await signedIn();
    const challenge = 'Bearer error="insufficient_scope", scope="mcp"';
    const refuse = async () => {
      const outcome = await current();
      if (!outcome.ok) throw new Error(outcome.reason);
      const { credential } = outcome;
      return credentials.renewRejected(tools, ALICE, { status: 403, challenge, credential });
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await refuse()).toMatchObject({
        reason: 'Server "tools" requires the scopes "mcp". Sign in again to grant them.',
      });
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
