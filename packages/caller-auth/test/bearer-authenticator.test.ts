import { createPrincipal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { BearerAuthenticator } from '../src/bearer-authenticator.ts';
import type { TokenOutcome } from '../src/auth-backend.ts';

const principal = createPrincipal({
  issuer: 'https://i.test',
  subject: 'ada',
  scopes: ['mcp:read'],
});

const authenticator = (outcome: (token: string) => TokenOutcome) => {
  const state = { now: 1_000, verified: [] as string[], outcomes: [] as string[] };
  const { authenticate } = new BearerAuthenticator({
    verifier: {
      verify: (token) => {
        state.verified.push(token);
        return Promise.resolve(outcome(token));
      },
    },
    challenge: (error) => `Bearer ${error ?? 'none'}`,
    now: () => state.now,
    onVerified: ({ outcome: end, durationMs }) => {
      state.outcomes.push(durationMs >= 0 ? end : 'negative');
    },
    limits: { maxVerifications: 2, maxTokens: 3, maxRefusedTokens: 3 },
  });
  const send = (...lines: string[]) =>
    authenticate({ rawHeaders: lines.flatMap((line) => ['authorization', line]), url: '/mcp' });
  return Object.assign(state, { authenticate, send });
};

const accept = (): TokenOutcome => ({ ok: true, principal, expiresAt: 5_000 });

describe('a request', () => {
  it('with a token that was verified is answered in the same turn until the token expires', async () => {
    const state = authenticator(accept);
    expect(state.send('Bearer t')).toBeInstanceOf(Promise);
    await Promise.resolve(state.send('Bearer t'));
    await new Promise(setImmediate);
    expect(state.send('bearer   t')).toEqual({ ok: true, principal, expiresAt: 5_000 });
    expect(state.verified).toEqual(['t']);
    state.now = 5_000;
    await state.send('Bearer t');
    expect(state.verified).toEqual(['t', 't']);
  });

  it('is timed when its token is verified, and not when it is remembered', async () => {
    const state = authenticator((token) =>
      token === 't' ? accept() : { ok: false, code: 'expired' },
    );
    for (const token of ['t', 't', 'old', 'old']) await state.send(`Bearer ${token}`);
    expect(state.outcomes).toEqual(['ok', 'expired']);
  });

  it.each([
    [[], 'missing', 401, 'Bearer none'],
    [['Basic YTpi'], 'missing', 401, 'Bearer none'],
    [['Bearer'], 'missing', 401, 'Bearer none'],
    [['Bearer a', 'Bearer b'], 'ambiguous', 400, 'Bearer invalid_request'],
    [['Bearer a', 'Bearer a'], 'ambiguous', 400, 'Bearer invalid_request'],
    [['Bearer a, Bearer b'], 'malformed', 401, 'Bearer invalid_token'],
    [['Bearer <script>'], 'malformed', 401, 'Bearer invalid_token'],
    [['Bearer \u00e9'], 'malformed', 401, 'Bearer invalid_token'],
    [[`Bearer ${'x'.repeat(16 * 1024 + 1)}`], 'too-large', 401, 'Bearer invalid_token'],
    [[`Bearer ${'x'.repeat(10_000_000)}`], 'too-large', 401, 'Bearer invalid_token'],
    [[' '.repeat(10_000_000)], 'missing', 401, 'Bearer none'],
  ])('is refused before a verification: case %#', (lines, code, status, challenge) => {
    const state = authenticator(accept);
    expect(state.send(...lines)).toMatchObject({ ok: false, status, reason: code, challenge });
    expect(state.verified).toEqual([]);
  });

  it.each(['/mcp?access_token=t', '/mcp?a=1&ACCESS_TOKEN=t'])(
    'with a token in the URL is refused: %s',
    (url) => {
      const state = authenticator(accept);
      const rawHeaders = ['Authorization', 'Bearer t'];
      expect(state.authenticate({ rawHeaders, url })).toMatchObject({ status: 400 });
      expect(state.authenticate({ rawHeaders: [], url })).toMatchObject({ status: 400 });
    },
  );

  it('with a token that permits nothing is refused with 403', async () => {
    const state = authenticator(() => ({
      ...{ ok: true, expiresAt: 5_000 },
      principal: { ...principal, scopes: [] },
    }));
    expect(await state.send('Bearer t')).toMatchObject({
      ...{ status: 403, challenge: 'Bearer insufficient_scope' },
      sentence:
        'The access token lacks the scope mcp:read, which the authorization server grants to its users; sign in again with it: gateway auth login --scope mcp:read',
    });
  });

  it('whose token cannot be verified now is answered 503 without a challenge, and verified again', async () => {
    const state = authenticator(() => ({ ok: false, code: 'unavailable' }));
    const answer = await state.send('Bearer t');
    expect(answer).toMatchObject({ ok: false, status: 503 });
    expect(answer).not.toHaveProperty('challenge');
    await state.send('Bearer t');
    expect(state.verified).toHaveLength(2);
  });

  it('with a refused token is not verified again for a short time', async () => {
    const state = authenticator(() => ({ ok: false, code: 'expired' }));
    await state.send('Bearer t');
    expect(state.send('Bearer t')).toMatchObject({
      status: 401,
      sentence: 'The access token is refused: it has expired; sign in again',
    });
    state.now += 5_000;
    await state.send('Bearer t');
    expect(state.verified).toHaveLength(2);
  });

  it('beyond the number of tokens that are verified at once is refused with 503', async () => {
    const state = authenticator(accept);
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(async (token) => state.send(`Bearer ${token}`)),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false]);
  });

  it('of a flood of refused tokens evicts no accepted one', async () => {
    const state = authenticator((token) =>
      token === 'good' ? accept() : { ok: false, code: 'malformed' },
    );
    await state.send('Bearer good');
    for (let count = 0; count < 50; count += 1) await state.send(`Bearer bad${count}`);
    expect(state.send('Bearer good')).toMatchObject({ ok: true });
  });
});
