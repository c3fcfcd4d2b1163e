import { createPrincipal } from '@gateway/call-contract';
import { startDex, type TestDex } from '@gateway/test-peers';
import { afterEach, expect, it } from 'vitest';
import { refresh, signInAs } from '../broker/harness/client.ts';
import { startGateway, type TestGateway } from '../broker/harness/gateway.ts';

let dex: TestDex | undefined;
let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  await dex?.close();
});

/** Providers decode the secret of the header differently: some do not decode characters that need no encoding. */
const SECRET = 'a-b.c_d:e%f+g äöü';

it('signs a user in at Dex, with the audiences of servers in the ID token', async () => {
  let ahead = 0;
  let audiences: readonly string[] = ['kubernetes'];
  const started = await startGateway({
    clientSecret: SECRET,
    now: () => Date.now() + ahead,
    requiredAudiences: () => audiences,
    upstream: async (redirectUri) => {
      const peer = (id: string) => ({ id, secret: id, trustedPeers: ['gateway'] });
      dex = await startDex({
        clients: [
          { id: 'gateway', secret: SECRET, redirectURIs: [redirectUri] },
          ...['kubernetes', 'grafana'].map(peer),
        ],
      });
      return { issuer: dex.issuer };
    },
  });
  gateway = started;
  const tokens = await signInAs(started, 'alice@example.com');
  const outcome = await started.broker.verifier.verify(String(tokens.body['access_token']));
  expect(outcome).toMatchObject({ ok: true, principal: { email: 'alice@example.com' } });
  if (!outcome.ok) return;
  const { subject, issuer = '' } = outcome.principal;
  const user = createPrincipal({ issuer, subject });

  const first = await started.broker.idTokens.idToken(user, { audiences: ['kubernetes'] });
  expect(first).toMatchObject({ ok: true });
  expect(await started.broker.idTokens.idToken(user, { audiences: ['grafana'] })).toEqual({
    ok: false,
    code: 'audience-missing',
    audience: 'grafana',
  });

  // Dex rotates its refresh token at each use, and the audiences stay.
  ahead += 60_000;
  const second = await refresh(started, tokens.body['refresh_token']);
  expect(second.status).toBe(200);
  ahead += 60_000;
  expect((await refresh(started, second.body['refresh_token'])).status).toBe(200);
  expect(await started.broker.idTokens.idToken(user, { audiences: ['kubernetes'] })).toMatchObject({
    ok: true,
  });

  audiences = ['kubernetes', 'grafana'];
  await signInAs(started, 'alice@example.com');
  expect(await started.broker.idTokens.idToken(user, { audiences: ['grafana'] })).toMatchObject({
    ok: true,
  });
});
