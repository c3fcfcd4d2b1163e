import type { ProviderOptions } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refresh, signInAs } from './harness/client.ts';
import { startGateway, type TestGateway } from './harness/gateway.ts';

const MINUTE_MS = 60_000;

interface Scene {
  readonly gateway: TestGateway;
  /** Moves the clock a minute forward, uses the refresh token and returns the scopes of the new access token. */
  readonly renewed: () => Promise<readonly string[]>;
  /** Removes the user from the group of administrators at the provider. */
  readonly dismiss: () => void;
}

/** An administrator who is signed in, at a provider whose refreshes have no ID tokens. */
const administrator = async (provider: ProviderOptions = {}): Promise<Scene> => {
  const users = [{ name: 'root', password: 'password', groups: ['admins'] }];
  let ahead = 0;
  const gateway = await startGateway({
    now: () => Date.now() + ahead,
    provider: { users, refreshedIdTokens: false, ...provider },
    settings: { sessionSeconds: 600 },
  });
  onTestFinished(() => gateway.close());
  let { body } = await signInAs(gateway, 'root', { scope: 'mcp:read mcp:admin' });
  return {
    gateway,
    renewed: async () => {
      ahead += MINUTE_MS;
      ({ body } = await refresh(gateway, body['refresh_token']));
      const outcome = await gateway.broker.verifier.verify(String(body['access_token']));
      return outcome.ok ? (outcome.principal.scopes ?? []) : [outcome.code];
    },
    dismiss: () => (users[0] = { name: 'root', password: 'password', groups: ['staff'] }),
  };
};

const ADMIN = ['mcp:read', 'mcp:admin'];
const NOT_STATED = { metadataFields: { userinfo_endpoint: undefined } };

describe('the groups of a user, where refreshes have no ID token', () => {
  it('are those of the UserInfo endpoint', async () => {
    const { renewed, dismiss, gateway } = await administrator();
    expect(await renewed()).toEqual(ADMIN);
    dismiss();
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.provider.count('/me')).toBe(2);
  });

  it('are dropped after sessionSeconds without such an endpoint, and the user stays signed in', async () => {
    const { renewed, dismiss, gateway } = await administrator(NOT_STATED);
    dismiss();
    for (let minute = 1; minute < 10; minute += 1) expect(await renewed()).toEqual(ADMIN);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.provider.count('/me')).toBe(0);
  });

  it('are dropped after sessionSeconds while the endpoint does not answer, which is reported', async () => {
    const { renewed, gateway } = await administrator();
    gateway.provider.setFault(({ path }) => (path === '/me' ? { status: 503 } : undefined));
    for (let minute = 1; minute < 10; minute += 1) expect(await renewed()).toEqual(ADMIN);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.failures[0]).toMatch(/^UserInfo at http:\/\/127\.0\.0\.1:\d+: OAUTH_/u);
    gateway.provider.setFault(undefined);
    expect(await renewed()).toEqual(ADMIN);
  });

  it('are not taken from an answer about another user, which is reported', async () => {
    const { renewed, gateway } = await administrator();
    const body = JSON.stringify({ sub: 'mallory', groups: ['admins'] });
    const headers = { 'content-type': 'application/json' };
    gateway.provider.setFault(({ path }) =>
      path === '/me' ? { status: 200, body, headers } : undefined,
    );
    expect(await renewed()).toEqual(ADMIN);
    expect(gateway.failures[0]).toMatch(/^refresh at .*: invalid/u);
  });
});
