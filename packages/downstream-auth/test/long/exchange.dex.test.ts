import { createPrincipal, type IdTokenSource, type Principal } from '@gateway/call-contract';
import { CookieBrowser, signIn, startDex, startProtectedServer } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { exchangeAt, remoteServer } from '../remote-server.ts';
import { closing } from '../serve.ts';
import { connectAs, credentialsWith, EXCHANGE_CLIENT, exchangeClient } from '../sso-peers.ts';

const REDIRECT = 'http://127.0.0.1:7/callback';
/** Characters that a form and a URL encode (RFC 6749 §2.3.1). */
const SECRET = 'a+b%c d=';

/** Signs a user in at Dex and returns the ID token for the client `gateway`. */
const idTokenOf = async (issuer: string, name: string): Promise<string> => {
  const query = { client_id: 'gateway', redirect_uri: REDIRECT, response_type: 'code' };
  const scope = 'openid profile email';
  const url = `${issuer}/auth?${new URLSearchParams({ ...query, scope, state: name }).toString()}`;
  const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
  const user = { name: `${name}@example.com`, password: 'password' };
  const page = await signIn(url, user, { browser });
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('gateway:home').toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(page.url).searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
    }),
  });
  const { id_token: token } = (await response.json()) as { readonly id_token?: string };
  if (token === undefined) throw new Error(`Dex answered ${response.status} without an ID token`);
  return token;
};

/** The Dex of the gateway, and the Dex of a remote cluster, which trusts it through the connector `home`. */
const startDexes = async () => {
  const home = await closing(
    startDex({ clients: [{ id: 'gateway', secret: 'home', redirectURIs: [REDIRECT] }] }),
  );
  const config = { issuer: home.issuer, clientID: 'gateway', clientSecret: 'home' };
  const remote = await closing(
    startDex({
      clients: [
        { id: 'gate:way', secret: SECRET },
        { id: 'kubernetes', secret: 'unused', trustedPeers: ['gate:way'] },
      ],
      connectors: [
        { id: 'home', name: 'Home', type: 'oidc', config: { ...config, redirectURI: REDIRECT } },
      ],
    }),
  );
  return { home, remote };
};

const tokensOf = (issuer: string): IdTokenSource => {
  const tokens = new Map<string, Promise<string>>();
  return {
    idToken: async ({ subject }) => {
      const token = tokens.get(subject) ?? idTokenOf(issuer, subject);
      tokens.set(subject, token);
      return { ok: true, token: await token, expiresAt: Date.now() + 300_000 };
    },
  };
};

/** Credentials of users of the first Dex, and a server that trusts the second. */
const startClusters = async () => {
  const { home, remote } = await startDexes();
  const secrets = exchangeClient('gate:way', SECRET);
  const credentials = await credentialsWith(tokensOf(home.issuer), secrets);
  const server = await closing(
    startProtectedServer({ issuers: [remote.issuer], audiences: ['kubernetes'] }),
  );
  const user = (subject: string): Principal => createPrincipal({ issuer: home.issuer, subject });
  const resource = (settings: Parameters<typeof exchangeAt>[1] = {}) => {
    const all = { clientCredentialsSecretRef: EXCHANGE_CLIENT, ...settings };
    const tokenExchange = exchangeAt(`${remote.issuer}/token`, all);
    return remoteServer({ requiredAudiences: ['kubernetes'], tokenExchange }, server.url);
  };
  return { remote, server, credentials, user, resource };
};

it('exchanges the tokens of two users of one Dex at another, for the audience of a server', async () => {
  const { server, credentials, user, resource } = await startClusters();
  const users = [user('alice'), user('bob'), user('alice')];
  for (const principal of users)
    expect(await connectAs(credentials, resource(), principal)).toBe(200);
  const [alice, bob, again] = server.requests.map(({ subject }) => subject);
  expect(alice).toBeDefined();
  expect(bob).not.toBe(alice);
  expect(again).toBe(alice);
});

it('reports a connector that the other Dex does not have', async () => {
  const { credentials, user, resource } = await startClusters();
  const elsewhere = resource({ connectorId: 'elsewhere' });
  const outcome = await connectAs(credentials, elsewhere, user('alice'));
  const reason = expect.stringMatching(/^the token endpoint answered \d+ /u) as string;
  expect(outcome).toMatchObject({ ok: false, code: 'unavailable', reason });
  expect(JSON.stringify(outcome)).not.toContain(SECRET);
});

it('refuses the tokens of the other Dex where another issuer is expected', async () => {
  const { remote, server, credentials, user, resource } = await startClusters();
  const expectedIssuer = 'https://dex.other.example.com';
  expect(await connectAs(credentials, resource({ expectedIssuer }), user('alice'))).toMatchObject({
    reason: expect.stringContaining(
      `token issuer mismatch: expected "${expectedIssuer}", got "${remote.issuer}".`,
    ),
  });
  expect(server.requests).toEqual([]);
});
