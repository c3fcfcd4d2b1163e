import {
  createPrincipal,
  type IdTokenSource,
  type Principal,
  type CredentialOutcome,
} from '@gateway/call-contract';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { startTokenEndpoint } from '../../exchange/token-endpoint.ts';
import { exchangeAt, remoteServer } from '../../remote-server.ts';
import { closing } from '../../serve.ts';
import { credentialsWith } from '../../sso-peers.ts';
import { idTokenOf, unsignedToken } from '../../unsigned-token.ts';

const ISSUER = 'https://home.example.com';
const USERS = Array.from({ length: 20 }, (_, at) =>
  createPrincipal({ issuer: ISSUER, subject: `user-${at}` }),
);

/** ID tokens of users, some milliseconds late, so that answers change their order; a refused token is replaced. */
const lateTokens = (delays: readonly number[]): IdTokenSource => {
  let count = 0;
  return {
    idToken: async ({ subject }) => {
      count += 1;
      const jti = count;
      await new Promise((resolve) => setTimeout(resolve, delays[jti % delays.length]));
      return { ok: true, token: idTokenOf(subject, { jti }), expiresAt: Date.now() + 300_000 };
    },
  };
};

/** An endpoint that exchanges an ID token for one of the same user, some milliseconds late. */
const startExchange = (delays: readonly number[]) =>
  closing(
    startTokenEndpoint(async ({ form }, iss) => {
      const { sub, jti = '' } = decodeJwt(form['subject_token'] ?? '');
      await new Promise((resolve) => setTimeout(resolve, delays[Number(jti) % delays.length]));
      const exp = Math.floor(Date.now() / 1_000) + 300;
      const token = unsignedToken({ iss, sub, jti, exp, aud: 'remote' });
      return { body: { access_token: token, token_type: 'bearer', expires_in: 300 } };
    }),
  );

const expectUser = (outcome: CredentialOutcome, { subject }: Principal): void => {
  if (!outcome.ok) throw new Error(outcome.reason);
  const token = outcome.credential.authorization.slice('Bearer '.length);
  expect(decodeJwt(token).sub).toBe(subject);
};

const step = fc.record({
  who: fc.constantFrom(...USERS),
  how: fc.constantFrom('forward', 'exchange'),
  isRefused: fc.boolean(),
});

it('forwarded and exchanged tokens of users are never mixed, in any order of requests and refusals', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 7 }),
      async (steps, delays) => {
        const credentials = await credentialsWith(lateTokens(delays));
        const { url } = await startExchange(delays);
        const servers = {
          forward: remoteServer({ forwardToken: true }),
          exchange: remoteServer({ tokenExchange: exchangeAt(url) }),
        };
        await Promise.all(
          steps.map(async ({ who, how, isRefused }) => {
            const server = how === 'forward' ? servers.forward : servers.exchange;
            const outcome = await credentials.current(server, who);
            expectUser(outcome, who);
            if (!isRefused || !outcome.ok) return;
            const { credential } = outcome;
            const rejection = { status: 401, challenge: undefined, credential } as const;
            expectUser(await credentials.renewRejected(server, who, rejection), who);
          }),
        );
      },
    ),
    { numRuns: 20 },
  );
});
