import { decodeJwt } from 'jose';
import { signIn, createTestUser } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { authorizationRequest, clientBrowser, exchange, redirected } from './harness/client.ts';
import { startGateway } from './harness/gateway.ts';

const AGENT = 'http://127.0.0.1/callback';

it.each([
  ['gateway-cli', { email: 'alice@example.com' }],
  ['agent', { email: undefined, name: undefined }],
])('the ID token for %s states %o of the user', async (client_id, facts) => {
  const gateway = await startGateway({
    settings: { clients: [{ clientId: 'agent', redirectUris: [AGENT] }] },
  });
  onTestFinished(() => gateway.close());
  const asked = { client_id, redirect_uri: AGENT, scope: 'openid mcp:read' };
  const { url, verifier } = authorizationRequest(gateway, asked);
  const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser(AGENT) });
  const code = redirected(page).get('code') ?? '';
  const { body } = await exchange(gateway, code, verifier, { client_id, redirect_uri: AGENT });
  const claims = decodeJwt(String(body['id_token']));
  expect(claims.sub).toMatch(/^[\w-]{43}$/u);
  expect({ email: claims['email'], name: claims['name'] }).toMatchObject(facts);
});
