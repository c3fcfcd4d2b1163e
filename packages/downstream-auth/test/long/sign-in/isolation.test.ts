import { decodeJwt } from 'jose';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scene, user } from '../../sign-in/test-gateway.ts';

const USERS = Array.from({ length: 50 }, (_, at) => user(`user-${at}`));

describe('the tokens of 50 users', () => {
  it('are never mixed, in any order of sign-ins, requests, refreshes, refusals and sign-outs', async () => {
    const { gateway, tools, peer } = await scene({ provider: { accessTokenSeconds: 3_600 } });
    const second = gateway.add('second', peer.url);
    await Promise.all(USERS.map((one) => gateway.signIn(tools, one)));
    const { credentials } = gateway.auth;
    const subjectOf = (authorization: string): string =>
      decodeJwt(authorization.slice('Bearer '.length)).sub ?? '';
    const operation = fc.record({
      who: fc.integer({ min: 0, max: USERS.length - 1 }),
      what: fc.constantFrom('read', 'read', 'read', 'refuse', 'login', 'logout'),
      server: fc.constantFrom(tools, second),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ who, what, server }) => {
            const principal = USERS[who] ?? user('nobody-else');
            const outcome = await credentials.current(server, principal);
            if (outcome.ok)
              expect(subjectOf(outcome.credential.authorization)).toBe(principal.subject);
            if (what === 'login') await gateway.auth.login(server, principal);
            if (what === 'logout' && server === second)
              await gateway.auth.logout(server, principal);
            if (what !== 'refuse' || !outcome.ok) return;
            const { credential } = outcome;
            const rejection = { status: 401, challenge: undefined, credential } as const;
            const renewed = await credentials.renewRejected(server, principal, rejection);
            if (renewed.ok)
              expect(subjectOf(renewed.credential.authorization)).toBe(principal.subject);
          }),
        );
      }),
      { numRuns: 10 },
    );
    const accepted = peer.requests.filter(({ isAccepted }) => isAccepted);
    expect(accepted.every(({ subject }) => subject?.startsWith('user-'))).toBe(true);
  });

  it('start 1,000 sign-ins at once with one discovery and one registration', async () => {
    const { gateway, tools, issuer, peer } = await scene();
    const many = Array.from({ length: 1_000 }, (_, at) => user(`many-${at}`));
    const outcomes = await Promise.all(many.map((one) => gateway.auth.login(tools, one)));
    const urls = new Set(outcomes.map((one) => (one.code === 'challenge' ? one.url : one.code)));
    expect(urls.size).toBe(1_000);
    expect(issuer.count('/reg')).toBe(1);
    expect(peer.requests.length).toBeLessThan(5);
  });
});
