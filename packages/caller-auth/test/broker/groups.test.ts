import type { ProviderOptions } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { createClock, start } from './harness/client.ts';

/** An administrator who is signed in, at a provider whose refreshes have no ID tokens. */
const startAdministrator = async (provider: ProviderOptions = {}) => {
  const users = [{ name: 'root', password: 'password', groups: ['admins'] }];
  const clock = createClock();
  const gateway = await start({
    now: clock.now,
    provider: { users, refreshedIdTokens: false, ...provider },
    settings: { sessionSeconds: 600 },
  });
  let { body } = await gateway.signInAs('root', { scope: 'mcp:read mcp:admin' });
  return {
    gateway,
    /** Moves the clock a minute forward, uses the refresh token and returns the scopes of the new access token. */
    renewed: async () => {
      clock.step(1);
      ({ body } = await gateway.refresh(body['refresh_token']));
      const outcome = await gateway.verify(body['access_token']);
      return outcome.ok ? (outcome.principal.scopes ?? []) : [outcome.code];
    },
    /** Removes the user from the group of administrators at the provider. */
    dismiss: () => (users[0] = { name: 'root', password: 'password', groups: ['staff'] }),
  };
};

const ADMIN = ['mcp:read', 'mcp:admin'];
const NOT_STATED = { metadataFields: { userinfo_endpoint: undefined } };

describe('the groups of a user, where refreshes have no ID token', () => {
  it('are those of the UserInfo endpoint', async () => {
    const { renewed, dismiss, gateway } = await startAdministrator();
    expect(await renewed()).toEqual(ADMIN);
    dismiss();
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.provider.count('/me')).toBe(2);
  });

  it('are dropped after sessionSeconds without such an endpoint, and the user stays signed in', async () => {
    const { renewed, dismiss, gateway } = await startAdministrator(NOT_STATED);
    dismiss();
    for (let minute = 1; minute < 10; minute += 1) expect(await renewed()).toEqual(ADMIN);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.provider.count('/me')).toBe(0);
  });

  it('are dropped after sessionSeconds while the endpoint does not answer, which is reported', async () => {
    const { renewed, gateway } = await startAdministrator();
    gateway.provider.setFault(({ path }) => (path === '/me' ? { status: 503 } : undefined));
    for (let minute = 1; minute < 10; minute += 1) expect(await renewed()).toEqual(ADMIN);
    expect(await renewed()).toEqual(['mcp:read']);
    expect(gateway.failures[0]).toMatch(/^UserInfo at http:\/\/127\.0\.0\.1:\d+: OAUTH_/u);
    gateway.provider.setFault(undefined);
    expect(await renewed()).toEqual(ADMIN);
  });

  it('are not taken from an answer about another user, which is reported', async () => {
    const { renewed, gateway } = await startAdministrator();
    const body = JSON.stringify({ sub: 'mallory', groups: ['admins'] });
    const headers = { 'content-type': 'application/json' };
    gateway.provider.setFault(({ path }) =>
      path === '/me' ? { status: 200, body, headers } : undefined,
    );
    expect(await renewed()).toEqual(ADMIN);
    expect(gateway.failures[0]).toMatch(/^refresh at .*: invalid/u);
  });
});
