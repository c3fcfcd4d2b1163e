import { createPrincipal, type Principal } from '@gateway/call-contract';
import { startProtectedServer, startProvider } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { exchangeAt, remoteServer } from '../../remote-server.ts';
import { requirement } from '../../requirement.ts';
import { closing, connectAs, credentialsWith, signedBy } from '../../sso-peers.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const SECRET = 'a+b%c d=';

/** The provider of the gateway, the provider of a remote cluster that trusts it, and a server in that cluster. */
const startClusters = async () => {
  const home = await closing(startProvider());
  const remote = await closing(
    startProvider({
      trustedIssuers: [home.issuer],
      clients: [
        {
          client_id: 'gate:way',
          client_secret: SECRET,
          grant_types: [EXCHANGE],
          redirect_uris: [],
          response_types: [],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    }),
  );
  const server = await closing(
    startProtectedServer({ issuers: [remote.issuer], audiences: ['gate:way'] }),
  );
  const tokenExchange = exchangeAt(`${remote.issuer}/token`, {
    clientCredentialsSecretRef: {
      name: 'remote',
      namespace: 'default',
      clientIdKey: 'client-id',
      clientSecretKey: 'client-secret',
    },
  });
  const credentials = await credentialsWith(signedBy(home), {
    'remote/client-id': 'gate:way',
    'remote/client-secret': SECRET,
  });
  const user = (subject: string): Principal => createPrincipal({ issuer: home.issuer, subject });
  return {
    home,
    remote,
    server,
    credentials,
    user,
    resource: remoteServer({ tokenExchange }, server.url),
  };
};

requirement('5.1/exchange', () => {
  it('signs each user in to a server of another cluster', async () => {
    const { server, credentials, user, resource } = await startClusters();
    expect(await connectAs(credentials, resource, user('alice'))).toBe(200);
    expect(await connectAs(credentials, resource, user('bob'))).toBe(200);
    expect(server.requests.map(({ subject }) => subject)).toEqual(['alice', 'bob']);
  });

  it('exchanges once for 50 concurrent connections of a user', async () => {
    const { remote, credentials, user, resource } = await startClusters();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => connectAs(credentials, resource, user('alice'))),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(remote.count('/token')).toBe(1);
  });

  it('exchanges again when the server refuses the token', async () => {
    const { remote, server, credentials, user, resource } = await startClusters();
    expect(await connectAs(credentials, resource, user('alice'))).toBe(200);
    server.rejectNext(1);
    expect(await connectAs(credentials, resource, user('alice'))).toBe(200);
    expect(remote.count('/token')).toBe(2);
  });

  it('reports a provider that does not trust the ID token, without the token', async () => {
    const { remote, user, resource } = await startClusters();
    const stranger = await closing(startProvider());
    const credentials = await credentialsWith(signedBy(stranger), {
      'remote/client-id': 'gate:way',
      'remote/client-secret': SECRET,
    });
    expect(await connectAs(credentials, resource, user('alice'))).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'the token endpoint answered 400 invalid_grant: grant request is invalid',
    });
    expect(remote.count('/token')).toBe(1);
  });

  it('reports wrong client credentials, without the secret', async () => {
    const { home, user, resource } = await startClusters();
    const credentials = await credentialsWith(signedBy(home), {
      'remote/client-id': 'gate:way',
      'remote/client-secret': 'wrong',
    });
    expect(await connectAs(credentials, resource, user('alice'))).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'the token endpoint answered 401 invalid_client: client authentication failed',
    });
  });

  it('refuses a token of another issuer than the expected one', async () => {
    const { remote, home, user, server } = await startClusters();
    const credentials = await credentialsWith(signedBy(home), {
      'remote/client-id': 'gate:way',
      'remote/client-secret': SECRET,
    });
    const tokenExchange = exchangeAt(`${remote.issuer}/token`, {
      expectedIssuer: 'https://dex.remote.example.com',
      clientCredentialsSecretRef: {
        name: 'remote',
        namespace: 'default',
        clientIdKey: 'client-id',
        clientSecretKey: 'client-secret',
      },
    });
    const resource = remoteServer({ tokenExchange }, server.url);
    expect(await connectAs(credentials, resource, user('alice'))).toMatchObject({
      ok: false,
      reason: `token issuer mismatch: expected "https://dex.remote.example.com", got "${remote.issuer}". Hint: set spec.auth.tokenExchange.expectedIssuer to the issuer of the exchanged tokens`,
    });
    expect(server.requests).toEqual([]);
  });
});
