import {
  CookieBrowser,
  signIn,
  startProvider,
  createTestUser,
  type VisitedPage,
  type ProviderOptions,
  type TestProvider,
} from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { secretFile } from './secret-file.ts';
import { startService, type PeerService } from './peer-service.ts';
import { startPortal, type SessionAnswer, type TestPortal } from './started-portal.ts';

type PortalTestOptions = NonNullable<Parameters<typeof startPortal>[0]>;

/** A portal whose users sign in at a provider, in front of a recording service. */
export interface SignInPortal {
  readonly portal: TestPortal;
  readonly provider: TestProvider;
  readonly service: PeerService;
}

/** The URL at which the provider knows the portal; its own address differs. */
export const PUBLIC_URL = 'http://127.0.0.1:7070/';

/** Starts the provider, with the portal as a client. */
export const startPortalProvider = async (options: ProviderOptions = {}): Promise<TestProvider> => {
  const provider = await startProvider({
    clients: [
      {
        client_id: 'portal',
        client_secret: 'the secret of the portal',
        redirect_uris: [new URL('auth/callback', PUBLIC_URL).href],
        post_logout_redirect_uris: [PUBLIC_URL],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    resourceIndicators: false,
    ...options,
  });
  onTestFinished(provider.close);
  return provider;
};

/** Starts the provider, a service and the portal. */
export const startSignInPortal = async (
  providerOptions: ProviderOptions = {},
  options: PortalTestOptions = {},
): Promise<SignInPortal> => {
  const provider = await startPortalProvider(providerOptions);
  const service = await startService();
  const portal = await startPortal({
    publicUrl: PUBLIC_URL,
    gateway: `${service.url}/mcp`,
    issuer: provider.issuer,
    clientId: 'portal',
    clientSecretFile: secretFile(),
    ...options,
  });
  return { portal, provider, service };
};

/** The browser of a user, which reaches the portal at its public URL. */
export class User {
  readonly browser: CookieBrowser;

  constructor({ address }: Pick<TestPortal, 'address'>) {
    this.browser = new CookieBrowser({ hosts: { [new URL(PUBLIC_URL).origin]: address } });
  }

  /** Signs in, from a page of the portal. */
  signIn(name = 'alice', returnTo = PUBLIC_URL): Promise<VisitedPage> {
    const url = new URL('auth/start', PUBLIC_URL);
    url.searchParams.set('return', returnTo);
    return signIn(url, createTestUser(name), { browser: this.browser });
  }

  get(path: string): Promise<Response> {
    return this.browser.request(new URL(path, PUBLIC_URL));
  }

  async session(): Promise<SessionAnswer> {
    return (await (await this.get('session')).json()) as SessionAnswer;
  }

  /** Sends a request that changes something, as a page of the portal does. */
  async post(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { token = '' } = await this.session();
    return this.browser.request(new URL(path, PUBLIC_URL), {
      method: 'POST',
      body: '{}',
      headers: { 'x-portal-token': token, ...headers },
    });
  }
}
