import { formatBasicAuthorization } from '@gateway/service-host';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { authSchema } from '../../src/auth-settings.ts';
import { start } from './harness/client.ts';

const SECRET = { clientId: 'nightly', clientSecret: 'a+b% c' };
const nightly = {
  ...{ clientId: SECRET.clientId, clientSecretFile: 'nightly', name: 'Nightly report' },
  serviceScopes: ['mcp:read', 'mcp:admin'],
};
const BASIC = { authorization: formatBasicAuthorization(SECRET) };
const GRANT = { grant_type: 'client_credentials' };

const startWith = (client: object, file: string) =>
  start({
    settings: { clients: [client] },
    readSecret: (name) => Promise.resolve(name === 'secret' ? 'the secret of the gateway' : file),
  });

describe('a client without users', () => {
  it('gets a token for itself with its secret, with its own scopes or fewer, and no others', async () => {
    const { post, verify } = await startWith(nightly, SECRET.clientSecret);
    const all = await post('/oauth/token', GRANT, BASIC);
    expect(all).toMatchObject({ status: 200, body: { scope: 'mcp:read mcp:admin' } });
    const narrow = await post('/oauth/token', { ...GRANT, scope: 'mcp:read' }, BASIC);
    expect(await verify(narrow.body['access_token'])).toMatchObject({
      principal: { subject: 'nightly', name: 'Nightly report', scopes: ['mcp:read'] },
    });
    const other = await post('/oauth/token', { ...GRANT, scope: 'openid' }, BASIC);
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const wrong = { authorization: formatBasicAuthorization({ ...SECRET, clientSecret: 'x' }) };
    expect(await post('/oauth/token', GRANT, wrong)).toMatchObject({ status: 401 });
    expect(await post('/oauth/token', { ...GRANT, client_id: 'gateway-cli' })).toMatchObject({
      body: { error: 'invalid_request' },
    });
  });

  it('gets a token with an assertion that its key signed, once', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    const { serviceScopes } = nightly;
    const { post, url, isActive } = await startWith(
      { clientId: 'signer', jwksFile: 'keys', serviceScopes },
      keys,
    );
    const assertion = await new SignJWT({ iss: 'signer', sub: 'signer', aud: url, jti: '1' })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('1m')
      .sign(privateKey);
    const form = {
      ...GRANT,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    const { status, body } = await post('/oauth/token', form);
    expect([status, await isActive(body['access_token'])]).toEqual([200, true]);
    expect(await post('/oauth/token', form)).toMatchObject({ status: 401 });
  });
});

it.each([
  [{}, 'must have either redirectUris or serviceScopes'],
  [
    { redirectUris: ['https://x.example'], serviceScopes: ['mcp:read'] },
    'must have either redirectUris or serviceScopes',
  ],
  [{ serviceScopes: ['mcp:read'] }, 'needs clientSecretFile or jwksFile for serviceScopes'],
  [
    { serviceScopes: ['mcp:read'], clientSecretFile: 'a', jwksFile: 'b' },
    'must not have both clientSecretFile and jwksFile',
  ],
])('refuses the settings %j of a client', (settings, message) => {
  const upstream = { issuer: 'https://id.example', clientId: 'gateway' };
  const clients = [{ clientId: 'x', ...settings }];
  const { error } = authSchema.safeParse({ mode: 'broker', broker: { upstream, clients } });
  expect(error?.issues).toMatchObject([{ message, path: ['broker', 'clients', 0] }]);
});
