import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProvider, type ProviderOptions } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
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
    adminGroups: ['admins'],
    allowPrivate: false,
    readSecret: (file) => Promise.resolve(`secret of ${file}`),
    forwarded,
    now,
    onUnavailable: (issuer, error) => failures.push(`${issuer}: ${String(error)}`),
  });
  return Object.assign(state, { verifier, forwarded, failures });
};

/** Starts an issuer until the test is over. */
export const startIssuer: typeof startProvider = async (options) => {
  const issuer = await startProvider(options);
  onTestFinished(() => issuer.close());
  return issuer;
};

/** Starts an issuer, and a verifier of its tokens. */
export const startVerifying = async (settings: object = {}, options: ProviderOptions = {}) => {
  const provider = await startIssuer(options);
  const state = await verifying({ issuer: provider.issuer, ...settings });
  /** Verifies a token with claims. */
  const verify = async (claims: object = CLAIMS, header: Readonly<Record<string, unknown>> = {}) =>
    state.verifier.verify(await provider.sign({ ...claims }, header));
  return Object.assign(state, { provider, verify });
};

/** Serves requests at an origin of its own until the test is over. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
