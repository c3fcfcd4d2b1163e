import { describe, expect, it } from 'vitest';
import type { ServerSignInFact } from '../../src/index.ts';
import { ALICE, clockedScene, type SceneOptions } from './test-gateway.ts';

const [server, principalKey] = ['tools', ALICE.key];
const SIGNED_IN = { code: 'signed-in', server, principalKey };

/** A gateway whose facts are recorded. */
const observed = async (gateway: SceneOptions['gateway'] = {}) => {
  const facts: ServerSignInFact[] = [];
  const observe = (fact: ServerSignInFact) => void facts.push(fact);
  const all = await clockedScene({ gateway: { ...gateway, observe } });
  /** Lets the token endpoint answer so from now on. */
  const breakTokens = (status: number, body = {}): void =>
    all.issuer.setFault(({ path }) =>
      path === '/token' ? { status, body: JSON.stringify(body) } : undefined,
    );
  return { ...all, facts, breakTokens };
};

describe('the facts of a sign-in', () => {
  it('name the user and the server of each sign-in and sign-out once', async () => {
    const { gateway, tools, peer, facts } = await observed();
    const other = gateway.add('other', peer.url);
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
    const { gateway, tools, facts, breakTokens } = await observed();
    breakTokens(400, { error: 'secret', error_description: 'secret' });
    expect((await gateway.signIn(tools, ALICE)).status).toBe(400);
    expect(facts).toEqual([{ code: 'sign-in-failed', server, principalKey, problem: 'failed' }]);
  });

  it('are one, and one line of the log, for a link that another user opens many times', async () => {
    const browserUser = () => Promise.resolve({ kind: 'other' } as const);
    const { gateway, tools, facts } = await observed({ browserUser });
    const link = await gateway.link(tools);
    const visits = Array.from({ length: 10 }, () => fetch(link));
    for (const { status } of await Promise.all(visits)) expect(status).toBe(400);
    expect(facts).toEqual([{ code: 'sign-in-failed', server, principalKey, problem: 'invalid' }]);
    expect(gateway.lines.filter((line) => line.includes('belongs to another'))).toHaveLength(1);
  });

  it('are one line of the log for a redirect that is not allowed', async () => {
    const { gateway, tools } = await observed();
    const link = `${await gateway.link(tools)}&redirect=https://attacker.example/`;
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
    const { gateway, tools, facts, reject } = await observed();
    await gateway.signIn(tools, ALICE);
    const { renew } = await reject(403, 'Bearer error="insufficient_scope", scope="mcp:admin"');
    await renew();
    await renew();
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
    const refused = { code: 'refresh-refused', server, error: 'invalid_grant' };
    expect(facts).toEqual([SIGNED_IN, { code: 'refreshed', server }, refused]);
  });

  it.each([
    [
      'have no text that the provider chooses',
      400,
      { code: 'refresh-refused', error: 'unknown_error' },
    ],
    [
      'report a provider that does not answer',
      503,
      { code: 'provider-unavailable', during: 'refresh' },
    ],
  ])('%s', async (_what, status, fact) => {
    const { gateway, tools, facts, move, breakTokens } = await observed();
    await gateway.signIn(tools, ALICE);
    breakTokens(status, { error: 'chosen_by_the_provider' });
    move(4_000);
    await gateway.request(tools, ALICE);
    expect(facts.slice(1)).toEqual([{ ...fact, server }]);
  });
});
