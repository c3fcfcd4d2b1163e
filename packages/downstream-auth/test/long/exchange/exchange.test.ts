import { createPrincipal, type Principal } from '@gateway/call-contract';
import { startProtectedServer, startProvider } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { exchangeAt, remoteServer } from '../../remote-server.ts';
import { requirement } from '../../requirement.ts';
import { closing } from '../../serve.ts';
import {
  connectAs,
  credentialsWith,
  EXCHANGE_CLIENT,
  exchangeClient,
  signedBy,
} from '../../sso-peers.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const SECRET = 'a+b%c d=';

const CLIENT = {
  client_id: 'gate:way',
  client_secret: SECRET,
  grant_types: [EXCHANGE],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_basic' as const,
};

/** The provider of the gateway, the provider of a remote cluster that trusts it, and a server in that cluster. */
const startClusters = async () => {
  const home = await closing(startProvider());
  const remote = await closing(startProvider({ trustedIssuers: [home.issuer], clients: [CLIENT] }));
  const server = await closing(
    startProtectedServer({ issuers: [remote.issuer], audiences: ['gate:way'] }),
  );
  const user = (subject: string): Principal => createPrincipal({ issuer: home.issuer, subject });
  const resource = (settings: Parameters<typeof exchangeAt>[1] = {}) => {
    const all = { clientCredentialsSecretRef: EXCHANGE_CLIENT, ...settings };
    return remoteServer({ tokenExchange: exchangeAt(`${remote.issuer}/token`, all) }, server.url);
  };
  /** Connects a user with ID tokens of a provider and a secret of the client. */
  const connectWith = async (source = home, secret = SECRET, settings = {}) => {
    const credentials = await credentialsWith(signedBy(source), exchangeClient('gate:way', secret));
    return (subject: string) => connectAs(credentials, resource(settings), user(subject));
  };
  return { home, remote, server, connectWith };
};

requirement('5.1/exchange', () => {
  it('signs each user in to a server of another cluster', async () => {
    const { server, connectWith } = await startClusters();
    const connect = await connectWith();
    expect([await connect('alice'), await connect('bob')]).toEqual([200, 200]);
    expect(server.requests.map(({ subject }) => subject)).toEqual(['alice', 'bob']);
  });

  it('exchanges once for 50 concurrent connections of a user, and again when the server refuses the token', async () => {
    const { remote, server, connectWith } = await startClusters();
    const connect = await connectWith();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => connect('alice')));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(remote.count('/token')).toBe(1);
    server.rejectNext(1);
    expect(await connect('alice')).toBe(200);
    expect(remote.count('/token')).toBe(2);
  });

  it('reports a provider that does not trust the ID token, without the token', async () => {
    const { remote, connectWith } = await startClusters();
    const connect = await connectWith(await closing(startProvider()));
    const reason = 'the token endpoint answered 400 invalid_grant: grant request is invalid';
    expect(await connect('alice')).toEqual({ ok: false, code: 'unavailable', reason });
    expect(remote.count('/token')).toBe(1);
  });

  it('reports wrong client credentials, without the secret', async () => {
    const { home, connectWith } = await startClusters();
    const connect = await connectWith(home, 'wrong');
    const reason = 'the token endpoint answered 401 invalid_client: client authentication failed';
    expect(await connect('alice')).toEqual({ ok: false, code: 'unavailable', reason });
  });

  it('refuses a token of another issuer than the expected one', async () => {
    const { remote, home, server, connectWith } = await startClusters();
    const expectedIssuer = 'https://dex.remote.example.com';
    const connect = await connectWith(home, SECRET, { expectedIssuer });
    const reason = `token issuer mismatch: expected "${expectedIssuer}", got "${remote.issuer}". Hint: set spec.auth.tokenExchange.expectedIssuer to the issuer of the exchanged tokens`;
    expect(await connect('alice')).toMatchObject({ ok: false, reason });
    expect(server.requests).toEqual([]);
  });
});
