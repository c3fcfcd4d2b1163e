import { CookieBrowser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { serve } from '../../serve.ts';
import { ALICE, BOB, createAuthorizationUrl, scene } from '../../sign-in/test-gateway.ts';

describe('a client that the provider does not know any more', () => {
  it('is registered again after a sign-in that ended on a page of the provider', async () => {
    const { gateway, tools, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    issuer.removeClients();
    const lost = await gateway.signIn(tools, BOB);
    expect(lost.status).toBe(400);
    expect(new URL(lost.url).origin).toBe(issuer.issuer);
    expect((await gateway.signIn(tools, BOB)).status).toBe(200);
    expect(await gateway.request(tools, BOB)).toBe(200);
    expect(issuer.count('/reg')).toBe(2);
  });

  it('stays when a user only left a page of the provider', async () => {
    const { gateway, tools, issuer } = await scene();
    await new CookieBrowser().open(await gateway.link(tools));
    expect((await gateway.signIn(tools, ALICE)).status).toBe(200);
    expect(issuer.count('/reg')).toBe(1);
  });

  it.each([
    ['invalid_client', 2],
    ['unauthorized_client', 2],
    ['access_denied', 1],
  ])('is registered again when the callback has the error %s: %i', async (error, registrations) => {
    let issuer = '';
    const refusing = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://refusing.test').searchParams;
      const target = new URL(query.get('redirect_uri') ?? '');
      const state = query.get('state') ?? '';
      target.search = new URLSearchParams({ error, state, iss: issuer }).toString();
      response.writeHead(302, { location: target.href }).end();
    });
    const metadataFields = { authorization_endpoint: `${refusing}/auth` };
    const all = await scene({ provider: { metadataFields } });
    issuer = all.issuer.issuer;
    expect((await all.gateway.signIn(all.tools, ALICE)).status).toBe(400);
    expect((await all.gateway.signIn(all.tools, ALICE)).status).toBe(400);
    expect(all.issuer.count('/reg')).toBe(registrations);
  });
});

it('a client whose secret ends is registered again before the next sign-in', async () => {
  let ahead = 0;
  const clock = (): number => Date.now() + ahead;
  const endsAt = Math.floor(Date.now() / 1_000) + 3_600;
  let registrations = 0;
  /** A registration endpoint that answers with clients `lent-1`, `lent-2`…, whose secrets end. */
  const url = await serve((request, response) => {
    request.resume();
    registrations += 1;
    const client = {
      client_id: `lent-${registrations}`,
      client_secret: 'secret',
      client_secret_expires_at: endsAt + ahead / 1_000,
      token_endpoint_auth_method: 'client_secret_basic',
    };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(client));
  });
  const clients = ['lent-1', 'lent-2'].map((id) => ({
    client_id: id,
    client_secret: 'secret',
    redirect_uris: ['http://127.0.0.1/callback'],
    application_type: 'native' as const,
  }));
  const metadataFields = { registration_endpoint: `${url}/reg` };
  const options = { provider: { metadataFields, clients }, gateway: { clock } };
  const { gateway, tools } = await scene(options);
  const clientId = async (): Promise<string | null> =>
    (await createAuthorizationUrl(await gateway.link(tools))).searchParams.get('client_id');
  expect(await clientId()).toBe('lent-1');
  ahead = 3_000_000;
  expect(await clientId()).toBe('lent-1');
  ahead = 3_600_000;
  expect(await clientId()).toBe('lent-2');
  expect(registrations).toBe(2);
});
