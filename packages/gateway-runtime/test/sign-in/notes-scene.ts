import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type ProviderOptions,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  startSignInGateway,
  type SignInGateway,
  type SignInGatewayOptions,
} from './gateway-harness.ts';

/** A provider, and the server `notes` that users sign in to there. */
export interface NotesScene {
  readonly provider: TestProvider;
  readonly notes: ProtectedServer;
  /** Starts a gateway whose callers sign in. The end of the test closes it. */
  readonly start: (options?: Partial<SignInGatewayOptions>) => Promise<SignInGateway>;
}

/** Starts a scene before the tests of a file and closes it after them. */
export const useNotes = (options: ProviderOptions = {}): NotesScene => {
  const gateways: SignInGateway[] = [];
  const scene = {
    start: async (more: Partial<SignInGatewayOptions> = {}) => {
      const servers = { notes: { url: scene.notes.url, auth: { type: 'oauth' } } };
      const gateway = await startSignInGateway({ servers, hasCallers: true, ...more });
      gateways.push(gateway);
      return gateway;
    },
  } as { provider: TestProvider; notes: ProtectedServer; start: NotesScene['start'] };
  beforeAll(async () => {
    scene.provider = await startProvider(options);
    const issuers = [scene.provider.issuer];
    scene.notes = await startProtectedServer({ issuers, scopesSupported: ['mcp'] });
  });
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  });
  afterAll(async () => {
    await Promise.all([scene.notes.close(), scene.provider.close()]);
  });
  return scene;
};
