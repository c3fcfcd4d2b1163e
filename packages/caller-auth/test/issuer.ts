import { startProvider, type TestProvider } from '@gateway/test-peers';
import {
  createResourceServer,
  ForwardedTokens,
} from '../src/resource-server/create-resource-server.ts';
import { issuersSchema } from '../src/auth-settings.ts';
import type { TokenVerifier } from '../src/auth-backend.ts';

export const RESOURCE = 'https://gateway.test/mcp';

/** Claims that every issuer of these tests puts into its tokens. */
export const CLAIMS = { sub: 'ada', aud: RESOURCE, scope: 'openid mcp:read' };

/** A verifier of the tokens of issuers, its clock and the failures of the issuers. */
export interface Verifying {
  readonly verifier: TokenVerifier;
  readonly forwarded: ForwardedTokens;
  readonly failures: string[];
  now: number;
}

/** Creates a verifier for issuers, with the settings of `config.yaml`. */
export const verifying = async (...issuers: readonly object[]): Promise<Verifying> => {
  const failures: string[] = [];
  const state = { now: Date.now() };
  const now = (): number => state.now;
  const settings = issuersSchema.parse(issuers);
  const forwarded = new ForwardedTokens(settings, now);
  const verifier = await createResourceServer({
    issuers: settings,
    resource: RESOURCE,
    allowPrivate: false,
    readSecret: (file) => Promise.resolve(`secret of ${file}`),
    forwarded,
    now,
    onUnavailable: (issuer, error) => failures.push(`${issuer}: ${String(error)}`),
  });
  return Object.assign(state, { verifier, forwarded, failures });
};

/** Starts issuers for a test file and ends them after each test. */
export const issuers = (): {
  readonly start: typeof startProvider;
  readonly end: () => Promise<void>;
} => {
  const started: TestProvider[] = [];
  return {
    start: async (options) => {
      const issuer = await startProvider(options);
      started.push(issuer);
      return issuer;
    },
    end: async () => {
      await Promise.all(started.splice(0).map((issuer) => issuer.close()));
    },
  };
};
