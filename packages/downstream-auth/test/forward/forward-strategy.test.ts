import {
  ANONYMOUS,
  createPrincipal,
  type IdTokenRequirements,
  type IdTokenSource,
} from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { ServerSignInFact } from '../../src/index.ts';
import { ForwardStrategy } from '../../src/forward/forward-strategy.ts';
import { remoteServer } from '../remote-server.ts';
import { requirement } from '../requirement.ts';
import { idTokenOf } from '../unsigned-token.ts';

const ALICE = createPrincipal({ issuer: 'https://home.example.com', subject: 'alice' });
const BOB = createPrincipal({ issuer: 'https://home.example.com', subject: 'bob' });

/** A source whose tokens carry every requested audience. Refused tokens are replaced. */
const sourceOf = () => {
  const requests: IdTokenRequirements[] = [];
  const tokens = new Map<string, string>();
  const source: IdTokenSource = {
    idToken: async ({ subject }, required) => {
      requests.push(required);
      const known = tokens.get(subject);
      const token =
        known === undefined || known === required.refusedToken
          ? idTokenOf(subject, { aud: ['gateway', ...required.audiences], jti: requests.length })
          : known;
      tokens.set(subject, token);
      return { ok: true, token, expiresAt: Date.now() + 3_600_000 };
    },
  };
  return { source, requests, tokens };
};

const returning = (token: string): IdTokenSource => ({
  idToken: async () => ({ ok: true, token, expiresAt: Date.now() + 3_600_000 }),
});

const failing = (
  code: 'signed-out' | 'audience-missing' | 'not-forwardable' | 'unavailable',
  audience?: string,
): IdTokenSource => ({
  idToken: async () => ({ ok: false, code, ...(audience !== undefined && { audience }) }),
});

const forwarding = (requiredAudiences: readonly string[] = [], url?: string) =>
  remoteServer({ forwardToken: true, requiredAudiences }, url);

/** All facts that the strategies reported. */
const facts: ServerSignInFact[] = [];

const strategyOf = (idTokens: IdTokenSource | undefined, now: () => number = Date.now) =>
  new ForwardStrategy({ idTokens, now, observe: (fact) => void facts.push(fact) });

const reasonOf = async (idTokens: IdTokenSource | undefined, server = forwarding()) => {
  const outcome = await strategyOf(idTokens).current(server, ALICE);
  return outcome.ok ? 'it succeeded' : `${outcome.code}: ${outcome.reason}`;
};

requirement('2.6/auth-forwarding', () => {
  it('sends the ID token of the user', async () => {
    const { source, tokens } = sourceOf();
    const strategy = strategyOf(source);
    const alice = await strategy.current(forwarding(), ALICE);
    const bob = await strategy.current(forwarding(), BOB);
    expect(alice.ok && alice.credential.authorization).toBe(`Bearer ${tokens.get('alice')}`);
    expect(bob.ok && bob.credential.authorization).toBe(`Bearer ${tokens.get('bob')}`);
  });

  it('asks the user to sign in when there is no ID token', async () => {
    expect(await reasonOf(failing('signed-out'))).toBe(
      'sign-in-required: the server uses your sign-in to the gateway, which has ended or has no ID token; sign in to the gateway again',
    );
  });

  it('names the setting of the operator when tokens of the issuer are not forwarded', async () => {
    expect(await reasonOf(failing('not-forwardable'))).toBe(
      'unavailable: the server uses your sign-in to the gateway, which does not forward the tokens of your issuer: the operator must set forwardable: true for it in auth.issuers of config.yaml',
    );
  });

  it('does not send an expired token, an opaque token, or a token for another header', async () => {
    const past = Math.floor(Date.now() / 1000) - 1;
    expect(await reasonOf(returning(idTokenOf('alice', { exp: past })))).toBe(
      'sign-in-again: your ID token has expired; sign in to the gateway again',
    );
    expect(await reasonOf(returning('opaque'))).toMatch(/^unavailable: /);
    expect(await reasonOf(returning(`${idTokenOf('alice')}\r\nX: y`))).toMatch(/^unavailable: /);
  });

  it('is not available where callers do not sign in', async () => {
    const outcome = await strategyOf(undefined).current(forwarding(), ANONYMOUS);
    expect(outcome).toMatchObject({ ok: false, code: 'unavailable' });
  });

  it('is not available while the source fails', async () => {
    const broken: IdTokenSource = { idToken: () => Promise.reject(new Error('secret text')) };
    const expected =
      'unavailable: your ID token cannot be renewed, because the identity provider or the store does not answer; try again';
    expect(await reasonOf(broken)).toBe(expected);
    expect(await reasonOf(failing('unavailable'))).toBe(expected);
  });
});

/** The current credential of alice, and what she gets when the server refuses it. */
const present = async (strategy: ReturnType<typeof strategyOf>, status: 401 | 403 = 401) => {
  const outcome = await strategy.current(forwarding(), ALICE);
  if (!outcome.ok) throw new Error(outcome.reason);
  const { credential } = outcome;
  const rejection = { status, challenge: 'Bearer', credential } as const;
  return { credential, refuse: async () => strategy.renewRejected(forwarding(), ALICE, rejection) };
};

it('the facts of a forwarded token report a server that refuses it, and no user who has not signed in', async () => {
  facts.length = 0;
  await reasonOf(failing('signed-out'));
  expect(facts).toEqual([]);
  await reasonOf(failing('audience-missing', 'kubernetes'));
  await (await present(strategyOf(returning(idTokenOf('alice'))))).refuse();
  const failed = { code: 'forwarding-failed', server: 'tools' };
  expect(facts).toEqual([
    { ...failed, problem: 'the ID token has no audience of requiredAudiences' },
    { ...failed, problem: 'the server refuses the ID token' },
  ]);
});

describe('the audiences of a forwarded token', () => {
  it('are requested from the source', async () => {
    const { source, requests } = sourceOf();
    await strategyOf(source).current(forwarding(['kubernetes', 'registry']), ALICE);
    expect(requests).toEqual([{ audiences: ['kubernetes', 'registry'] }]);
  });

  it('are named with the remedy when one is missing', async () => {
    expect(await reasonOf(failing('audience-missing', 'kubernetes'))).toBe(
      'sign-in-again: your sign-in to the gateway has no token for the audience "kubernetes", which the server requires; sign in to the gateway again',
    );
  });

  it('are verified before the token is sent', async () => {
    const token = idTokenOf('alice', { aud: ['gateway', 'kubernetes'] });
    expect(await reasonOf(returning(token), forwarding(['kubernetes', 'registry']))).toMatch(
      /^sign-in-again: .* the audience "registry"/,
    );
    expect(await reasonOf(returning(token), forwarding(['kubernetes']))).toBe('it succeeded');
  });

  it('work without a restart after the user signed in again', async () => {
    let aud = ['gateway'];
    const source: IdTokenSource = {
      idToken: (...args) => returning(idTokenOf('alice', { aud })).idToken(...args),
    };
    const strategy = strategyOf(source);
    const server = forwarding(['added-later']);
    expect(await strategy.current(server, ALICE)).toMatchObject({ code: 'sign-in-again' });
    aud = ['gateway', 'added-later'];
    expect(await strategy.current(server, ALICE)).toMatchObject({ ok: true });
  });
});

it('a forwarded token in memory is returned synchronously for 10 seconds', async () => {
  let now = Date.now();
  const { source, requests } = sourceOf();
  const strategy = strategyOf(source, () => now);
  const server = forwarding();
  await strategy.current(server, ALICE);
  now += 9_999;
  expect(strategy.current(server, ALICE)).not.toBeInstanceOf(Promise);
  now += 1;
  await strategy.current(server, ALICE);
  expect(requests).toHaveLength(2);
});

describe('a server that refuses the ID token', () => {
  it('gets one renewed token for all calls, once', async () => {
    const { source, requests } = sourceOf();
    const strategy = strategyOf(source);
    const { credential, refuse } = await present(strategy);
    const renewed = await Promise.all(Array.from({ length: 20 }, refuse));
    const ids = new Set([...renewed, await refuse()].map((each) => each.ok && each.credential.id));
    expect([ids.size, ids.has(credential.id), ids.has(false)]).toEqual([1, false, false]);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.refusedToken).toBe(credential.authorization.slice('Bearer '.length));
    const reason =
      'the server refuses your ID token: it must trust the client ID of the gateway, or requiredAudiences must name its audience; sign in to the gateway again';
    const second = await (await present(strategy)).refuse();
    expect(second).toEqual({ ok: false, code: 'sign-in-again', reason });
  });

  it('is reported when the source has no other token', async () => {
    const { refuse } = await present(strategyOf(returning(idTokenOf('alice'))));
    expect(await refuse()).toMatchObject({ ok: false, code: 'sign-in-again' });
  });

  it('because of a scope gets no other token', async () => {
    const { source, requests } = sourceOf();
    const { refuse } = await present(strategyOf(source), 403);
    expect(await refuse()).toMatchObject({ ok: false, code: 'unavailable' });
    expect(requests).toHaveLength(1);
  });
});
