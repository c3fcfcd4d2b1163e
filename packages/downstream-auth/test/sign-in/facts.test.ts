import { describe, expect, it } from 'vitest';
import type { ServerSignInFact } from '../../src/index.ts';
import { scene } from './scene.ts';
import { oauthServer, user } from './test-gateway.ts';

const ALICE = user('alice');
const [server, principalKey] = ['tools', ALICE.key];
const SIGNED_IN = { code: 'signed-in', server, principalKey };

/** A gateway whose facts are recorded, with a clock that the test moves. */
const observed = async (options: NonNullable<Parameters<typeof scene>[0]> = {}) => {
  const facts: ServerSignInFact[] = [];
  let ahead = 0;
  const all = await scene({
    ...options,
    provider: { accessTokenSeconds: 3_600, ...options.provider },
    gateway: {
      ...options.gateway,
      observe: (fact) => void facts.push(fact),
      clock: () => Date.now() + ahead,
    },
  });
  const move = (seconds: number): void => {
    ahead += seconds * 1_000;
  };
  return { ...all, facts, move };
};

describe('the facts of a sign-in', () => {
  it('name the user and the server of each sign-in and sign-out once', async () => {
    const { gateway, tools, peer, facts } = await observed();
    const other = oauthServer('other', peer.url);
    gateway.servers.push(other);
    await gateway.signIn(tools, ALICE);
    expect(facts).toEqual([SIGNED_IN]);
    expect(await gateway.auth.login(other, ALICE)).toEqual({ code: 'signed-in' });
    expect(facts).toEqual([SIGNED_IN, { ...SIGNED_IN, server: 'other' }]);
    await gateway.auth.login(tools, ALICE);
    await gateway.auth.logout(tools, ALICE);
    await gateway.auth.logout(tools, ALICE);
    expect(facts.slice(2)).toEqual([{ code: 'signed-out', server, principalKey }]);
  });

  it('have the reason of a sign-in that the provider refused', async () => {
    const { gateway, issuer, tools, facts } = await observed();
    issuer.setFault(({ path }) =>
      path === '/token'
        ? { status: 400, body: JSON.stringify({ error: 'secret', error_description: 'secret' }) }
        : undefined,
    );
    expect((await gateway.signIn(tools, ALICE)).status).toBe(400);
    expect(facts).toEqual([{ code: 'sign-in-failed', server, principalKey, problem: 'failed' }]);
  });

  it('are one, and one line of the log, for a link that another user opens many times', async () => {
    const browserUser = () => Promise.resolve({ kind: 'other' } as const);
    const { gateway, tools, facts } = await observed({ gateway: { browserUser } });
    const outcome = await gateway.auth.login(tools, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const visits = Array.from({ length: 10 }, () => fetch(outcome.url));
    for (const { status } of await Promise.all(visits)) expect(status).toBe(400);
    expect(facts).toEqual([{ code: 'sign-in-failed', server, principalKey, problem: 'invalid' }]);
    expect(gateway.lines.filter((line) => line.includes('belongs to another'))).toHaveLength(1);
  });

  it('are one line of the log for a redirect that is not allowed', async () => {
    const { gateway, tools } = await observed();
    const outcome = await gateway.auth.login(tools, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const link = `${outcome.url}&redirect=https://attacker.example/`;
    await Promise.all(Array.from({ length: 10 }, () => fetch(link)));
    expect(gateway.lines.filter((line) => line.includes('redirect of a sign-in'))).toHaveLength(1);
  });

  it('report a provider that cannot be reached', async () => {
    const { gateway, issuer, tools, facts } = await observed();
    await issuer.close();
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'failed' });
    expect(facts).toEqual([{ code: 'provider-unavailable', server, during: 'sign-in' }]);
  });

  it('report that a server requires further scopes', async () => {
    const { gateway, tools, facts } = await observed();
    await gateway.signIn(tools, ALICE);
    const outcome = await gateway.auth.credentials.current(tools, ALICE);
    if (!outcome.ok) throw new Error(outcome.reason);
    const challenge = 'Bearer error="insufficient_scope", scope="mcp:admin"';
    const rejection = { status: 403, challenge, credential: outcome.credential } as const;
    await gateway.auth.credentials.renewRejected(tools, ALICE, rejection);
    await gateway.auth.credentials.renewRejected(tools, ALICE, rejection);
    expect(facts).toEqual([SIGNED_IN, { code: 'scopes-required', server }]);
  });
});

describe('the facts of a refresh', () => {
  it('are one for a refresh, and one for its refusal', async () => {
    const { gateway, issuer, tools, facts, move } = await observed();
    await gateway.signIn(tools, ALICE);
    move(4_000);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    issuer.revokeUser('alice');
    move(4_000);
    await gateway.request(tools, ALICE);
    await gateway.request(tools, ALICE);
    expect(facts).toEqual([
      SIGNED_IN,
      { code: 'refreshed', server },
      { code: 'refresh-refused', server, error: 'invalid_grant' },
    ]);
  });

  it('have no text that the provider chooses', async () => {
    const { gateway, issuer, tools, facts, move } = await observed();
    await gateway.signIn(tools, ALICE);
    issuer.setFault(({ path }) =>
      path === '/token'
        ? { status: 400, body: JSON.stringify({ error: 'chosen_by_the_provider' }) }
        : undefined,
    );
    move(4_000);
    await gateway.request(tools, ALICE);
    expect(facts.slice(1)).toEqual([{ code: 'refresh-refused', server, error: 'unknown_error' }]);
  });

  it('report a provider that does not answer', async () => {
    const { gateway, issuer, tools, facts, move } = await observed();
    await gateway.signIn(tools, ALICE);
    issuer.setFault(({ path }) => (path === '/token' ? { status: 503 } : undefined));
    move(4_000);
    await gateway.request(tools, ALICE);
    expect(facts.slice(1)).toEqual([{ code: 'provider-unavailable', server, during: 'refresh' }]);
  });
});
