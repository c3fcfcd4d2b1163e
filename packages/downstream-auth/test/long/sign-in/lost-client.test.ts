import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CookieBrowser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scene } from '../../sign-in/scene.ts';
import { createAuthorizationUrl, user } from '../../sign-in/test-gateway.ts';

const ALICE = user('alice');
const BOB = user('bob');

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A registration endpoint that answers with clients `lent-1`, `lent-2`…, whose secrets end. */
const registrationUntil = async (expiresAt: () => number) => {
  const registrations = { count: 0 };
  const url = await serve((request, response) => {
    request.resume();
    registrations.count += 1;
    const client = {
      client_id: `lent-${registrations.count}`,
      client_secret: 'secret',
      client_secret_expires_at: expiresAt(),
      token_endpoint_auth_method: 'client_secret_basic',
    };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(client));
  });
  return { registrations, url };
};

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
    const outcome = await gateway.auth.login(tools, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    await new CookieBrowser().open(outcome.url);
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

describe('a client whose secret ends', () => {
  it('is registered again before the next sign-in', async () => {
    let ahead = 0;
    const clock = (): number => Date.now() + ahead;
    const endsAt = Math.floor(Date.now() / 1_000) + 3_600;
    const { registrations, url } = await registrationUntil(() => endsAt + ahead / 1_000);
    const { gateway, tools } = await scene({
      provider: {
        metadataFields: { registration_endpoint: `${url}/reg` },
        clients: ['lent-1', 'lent-2'].map((id) => ({
          client_id: id,
          client_secret: 'secret',
          redirect_uris: ['http://127.0.0.1/callback'],
          application_type: 'native',
        })),
      },
      gateway: { clock },
    });
    const clientId = async (): Promise<string | null> => {
      const outcome = await gateway.auth.login(tools, ALICE);
      if (outcome.code !== 'challenge') throw new Error(outcome.code);
      return (await createAuthorizationUrl(outcome.url)).searchParams.get('client_id');
    };
    expect(await clientId()).toBe('lent-1');
    ahead = 3_000_000;
    expect(await clientId()).toBe('lent-1');
    ahead = 3_600_000;
    expect(await clientId()).toBe('lent-2');
    expect(registrations.count).toBe(2);
  });
});
