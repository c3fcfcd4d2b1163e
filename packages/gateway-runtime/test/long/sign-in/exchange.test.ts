import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { startProtectedServer, startProvider, type ProviderOptions } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import {
  closeAtEnd,
  startSignInGateway,
  withCallersOf,
  type SignInGateway,
} from '../../sign-in/gateway-harness.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** Characters that a form encodes (RFC 6749 §2.3.1). */
const SECRET = 'a+b%c d=';

const remoteClient = {
  client_id: 'gate:way',
  client_secret: SECRET,
  grant_types: [EXCHANGE],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_basic' as const,
};

/** Writes the Secret `remote`. */
const writeSecret = async ({ directory }: SignInGateway, mode: number): Promise<void> => {
  for (const [key, value] of Object.entries({ 'client-id': 'gate:way', 'client-secret': SECRET })) {
    directory.write(`secrets/remote/${key}`, value);
    await chmod(join(directory.path, 'secrets/remote', key), mode);
  }
};

/** A gateway whose callers sign in at one provider, and a server of a cluster with another provider, which trusts the first. */
const startClusters = async (mode: number, options: ProviderOptions = {}, settings = {}) => {
  const home = await closeAtEnd(startProvider());
  const trusted = { tls: true, trustedIssuers: [home.issuer], clients: [remoteClient] };
  const remote = await closeAtEnd(startProvider({ ...trusted, ...options }));
  const issuers = [remote.issuer];
  const server = await closeAtEnd(startProtectedServer({ issuers, audiences: ['gate:way'] }));
  const tokenExchange = {
    enabled: true,
    dexTokenEndpoint: `${remote.issuer}/token`,
    connectorId: 'home',
    clientCredentialsSecretRef: { name: 'remote', namespace: 'default' },
  };
  const auth = { type: 'oauth', tokenExchange, ...settings };
  const gateway = await startSignInGateway({
    servers: { tools: { url: server.url, auth } },
    config: withCallersOf({ issuer: home.issuer, forwardable: true }),
  });
  await writeSecret(gateway, mode);
  const createBearer = (sub: string): Promise<string> =>
    home.sign({ sub, aud: 'https://gateway.test/mcp', scope: 'mcp:read' });
  const exchanges = () =>
    remote.requests.flatMap(({ parameters }) =>
      parameters['grant_type'] === EXCHANGE ? [parameters] : [],
    );
  return { ...gateway, remote, server, createBearer, exchanges };
};

it('a server of another cluster is reached without a sign-in of its own, with the connector and the audiences of its settings', async () => {
  const settings = { requiredAudiences: ['kubernetes'] };
  const scene = await startClusters(0o600, { audiences: ['kubernetes'] }, settings);
  const { gateway, createBearer, listTools, whoami, readStatus } = scene;
  const ada = await createBearer('ada');
  expect(await listTools(ada)).toContain('x_tools_whoami');
  expect((await whoami(ada, 'tools')).text).toContain('"ada"');
  expect((await gateway.metrics.scrape()).text).toContain(
    'gateway_token_exchanges_total{server="tools",outcome="ok"} 1\n',
  );
  expect(scene.exchanges()).toMatchObject([
    {
      connector_id: 'home',
      scope: 'openid profile email groups audience:server:client_id:kubernetes',
      subject_token: ada,
      requested_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    },
  ]);
  const connected = { name: 'tools', status: 'connected', token_exchange_enabled: true };
  expect(await readStatus(ada)).toEqual([connected]);
  expect(scene.logs.join('')).not.toContain(ada);
  expect(scene.remote.count('/auth')).toBe(0);
});

it('an exchange that is not possible because the file of the Secret has another mode says so, and is possible when the mode was changed', async () => {
  const scene = await startClusters(0o644);
  const ada = await scene.createBearer('ada');
  expect(await scene.listTools(ada)).toEqual([]);
  expect(scene.server.requests.filter(({ isAccepted }) => isAccepted)).toEqual([]);
  expect(await scene.readStatus(ada)).toMatchObject([
    {
      name: 'tools',
      token_exchange_enabled: true,
      status: 'unreachable',
      sso_attempt_failed: true,
      error:
        'the client credentials of the token exchange cannot be read: the file secrets/remote/client-id has mode 0644: set it to 0600',
    },
  ]);
  expect(scene.exchanges()).toEqual([]);
  await writeSecret(scene, 0o600);
  const ben = await scene.createBearer('ben');
  expect((await scene.whoami(ben, 'tools')).text).toContain('"ben"');
});
