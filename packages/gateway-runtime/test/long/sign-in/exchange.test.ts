import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type ProviderOptions,
  type TestProvider,
} from '@gateway/test-peers';
import { afterEach, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../../sign-in/gateway-harness.ts';
import { statusOf, toolsOf, whoami } from '../../sign-in/signed-in-user.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** Characters that a form encodes (RFC 6749 §2.3.1). */
const SECRET = 'a+b%c d=';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close();
});

const closing = async <T extends { readonly close: () => Promise<void> }>(
  starting: Promise<T>,
): Promise<T> => {
  const started = await starting;
  cleanups.push(() => started.close());
  return started;
};

interface Scene {
  readonly remote: TestProvider;
  readonly server: ProtectedServer;
  readonly gateway: SignInGateway;
  /** Returns the bearer of a user, the same each time. */
  readonly bearerOf: (subject: string) => Promise<string>;
  readonly exchanges: () => readonly Readonly<Record<string, unknown>>[];
}

const ref = { name: 'remote', namespace: 'default' };

const remoteClient = {
  client_id: 'gate:way',
  client_secret: SECRET,
  grant_types: [EXCHANGE],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_basic' as const,
};

const bearers = (home: TestProvider): Scene['bearerOf'] => {
  const signed = new Map<string, Promise<string>>();
  return (subject) => {
    const claims = { sub: subject, aud: 'https://gateway.test/mcp', scope: 'mcp:read' };
    const bearer = signed.get(subject) ?? home.sign(claims);
    signed.set(subject, bearer);
    return bearer;
  };
};

interface Changes {
  readonly remote?: ProviderOptions;
  readonly tokenExchange?: object;
  readonly auth?: object;
  /** The mode of the files of the Secret; `undefined` for no files. */
  readonly mode?: number | undefined;
}

const exchangeOf = ({ issuer }: TestProvider, changes: object = {}) => ({
  enabled: true,
  dexTokenEndpoint: `${issuer}/token`,
  connectorId: 'home',
  clientCredentialsSecretRef: ref,
  ...changes,
});

/** Writes the Secret `remote`. */
const writeSecret = async ({ directory }: SignInGateway, mode: number): Promise<void> => {
  for (const [key, value] of Object.entries({ 'client-id': 'gate:way', 'client-secret': SECRET })) {
    directory.write(`secrets/remote/${key}`, value);
    await chmod(join(directory.path, 'secrets/remote', key), mode);
  }
};

/** A gateway whose callers sign in at one provider, and a server of a cluster with another provider, which trusts the first. */
const startClusters = async (changes: Changes = { mode: 0o600 }): Promise<Scene> => {
  const home = await closing(startProvider());
  const trusted = { tls: true, trustedIssuers: [home.issuer], clients: [remoteClient] };
  const remote = await closing(startProvider({ ...trusted, ...changes.remote }));
  const server = await closing(
    startProtectedServer({ issuers: [remote.issuer], audiences: ['gate:way'] }),
  );
  const tokenExchange = exchangeOf(remote, changes.tokenExchange);
  const auth = { type: 'oauth', tokenExchange, ...changes.auth };
  const gateway = await closing(
    startSignInGateway({
      servers: { tools: { url: server.url, auth } },
      config: {
        http: { publicUrl: 'https://gateway.test' },
        auth: {
          mode: 'resource-server',
          allowPrivate: true,
          issuers: [{ issuer: home.issuer, forwardable: true }],
        },
      },
    }),
  );
  if (changes.mode !== undefined) await writeSecret(gateway, changes.mode);
  const exchanges = () =>
    remote.requests
      .filter(({ parameters }) => parameters['grant_type'] === EXCHANGE)
      .map(({ parameters }) => parameters);
  return { remote, server, gateway, bearerOf: bearers(home), exchanges };
};

describe('a server of another cluster', () => {
  it('is reached without a sign-in of its own, with the connector and the audiences of its settings', async () => {
    const { gateway, bearerOf, exchanges, remote } = await startClusters({
      mode: 0o600,
      auth: { requiredAudiences: ['kubernetes'] },
      remote: { audiences: ['kubernetes'] },
    });
    const ada = await bearerOf('ada');
    expect(await toolsOf(gateway, ada)).toContain('x_tools_whoami');
    expect((await whoami(gateway, ada, 'tools')).text).toContain('"ada"');
    expect((await gateway.gateway.metrics.scrape()).text).toContain(
      'gateway_token_exchanges_total{server="tools",outcome="ok"} 1\n',
    );
    expect(exchanges()).toMatchObject([
      {
        connector_id: 'home',
        scope: 'openid profile email groups audience:server:client_id:kubernetes',
        subject_token: ada,
        requested_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      },
    ]);
    expect(await statusOf(gateway, ada)).toEqual([
      { name: 'tools', status: 'connected', token_exchange_enabled: true },
    ]);
    expect(gateway.logs.join('')).not.toContain(ada);
    expect(remote.count('/auth')).toBe(0);
  });
});

describe('an exchange that is not possible', () => {
  const formatReason = async ({ gateway, bearerOf, server }: Scene): Promise<unknown> => {
    const ada = await bearerOf('ada');
    expect(await toolsOf(gateway, ada)).toEqual([]);
    expect(server.requests.filter(({ isAccepted }) => isAccepted)).toEqual([]);
    const [status] = await statusOf(gateway, ada);
    expect(status).toMatchObject({ name: 'tools', token_exchange_enabled: true });
    expect(status).toMatchObject({ status: 'unreachable', sso_attempt_failed: true });
    return status?.['error'];
  };

  it('because the file of the Secret has another mode says so, and is possible when the mode was changed', async () => {
    const scene = await startClusters({ mode: 0o644 });
    expect(await formatReason(scene)).toBe(
      'the client credentials of the token exchange cannot be read: the file secrets/remote/client-id has mode 0644: set it to 0600',
    );
    expect(scene.exchanges()).toEqual([]);
    await writeSecret(scene.gateway, 0o600);
    const ben = await scene.bearerOf('ben');
    expect((await whoami(scene.gateway, ben, 'tools')).text).toContain('"ben"');
  });
});
