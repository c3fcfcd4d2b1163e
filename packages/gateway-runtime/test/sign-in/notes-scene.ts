import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type ProviderOptions,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, beforeAll } from 'vitest';
import { startSignInGateway, type SignInGatewayOptions } from './gateway-harness.ts';

/** Starts a provider and the server `notes`, that users sign in to there, for the tests of a file. */
export const useNotes = (options: ProviderOptions = {}) => {
  const scene = {
    /** Starts a gateway whose callers sign in, until the test is over. */
    start: (more: Partial<SignInGatewayOptions> = {}) => {
      const servers = { notes: { url: scene.notes.url, auth: { type: 'oauth' } } };
      return startSignInGateway({ servers, hasCallers: true, ...more });
    },
  } as { provider: TestProvider; notes: ProtectedServer; start: NotesScene['start'] };
  beforeAll(async () => {
    scene.provider = await startProvider(options);
    const issuers = [scene.provider.issuer];
    scene.notes = await startProtectedServer({ issuers, scopesSupported: ['mcp'] });
  });
  afterAll(async () => {
    await Promise.all([scene.notes.close(), scene.provider.close()]);
  });
  return scene;
};

interface NotesScene {
  readonly start: (more?: Partial<SignInGatewayOptions>) => ReturnType<typeof startSignInGateway>;
}
