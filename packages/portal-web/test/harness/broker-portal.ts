import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import {
  startPeoplePortal,
  type Addresses,
  type PeoplePortal,
  type SignInSetup,
} from './people.ts';

const SECRET = 'the secret of the gateway';

/** A portal that is a client of its gateway, at which people sign in. */
export interface BrokerPortal extends PeoplePortal {
  /** Where people sign in at the gateway. */
  readonly provider: TestProvider;
  /** Accepts the identity that people have at the gateway. */
  readonly mail: ProtectedServer;
}

const remote = (url: string, auth: object) => ({
  ...{ type: 'streamable-http', autoStart: true },
  url,
  auth,
});

const authOf = (issuer: string, portal: string) => ({
  mode: 'broker',
  allowPrivate: true,
  broker: {
    upstream: { issuer, clientId: 'gateway', clientSecretFile: 'secret' },
    clients: [{ clientId: 'portal', name: 'Portal', redirectUris: [`${portal}auth/callback`] }],
  },
});

const startServers = async (issuer: string) => ({
  mail: await startProtectedServer({ issuers: [issuer], audiences: ['gateway'] }),
  diary: await startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
});

const startBrokerProvider = (gateway: string): Promise<TestProvider> =>
  startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: SECRET,
        redirect_uris: [`${gateway}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });

/** Starts a portal with the servers `mail` and `diary`; `diary` requires a sign-in of its own. The caller closes it. */
export const startBrokerPortal = async (): Promise<BrokerPortal> => {
  const started: { provider?: TestProvider; mail?: ProtectedServer; diary?: ProtectedServer } = {};
  const closeAll = async (): Promise<void> => {
    await Promise.all(Object.values(started).map((one) => one.close()));
  };
  const setUp = async ({ gateway, portal, config }: Addresses): Promise<SignInSetup> => {
    const provider = await startBrokerProvider(gateway);
    const { mail, diary } = await startServers(provider.issuer);
    Object.assign(started, { provider, mail, diary });
    config.write('secret', SECRET);
    return {
      auth: authOf(provider.issuer, portal),
      servers: {
        mail: remote(mail.url, { forwardToken: true }),
        diary: remote(diary.url, { type: 'oauth' }),
      },
      portalArgs: [
        ...['--issuer', gateway, '--client-id', 'portal'],
        ...['--scopes', 'openid offline_access mcp:read'],
      ],
    };
  };
  try {
    const portal = await startPeoplePortal(setUp);
    const { provider, mail } = started as Required<typeof started>;
    const close = async (): Promise<void> => {
      await portal.close();
      await closeAll();
    };
    return { ...portal, provider, mail, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
};
