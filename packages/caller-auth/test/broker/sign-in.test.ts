import { signIn, createTestUser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  redirected,
  refresh,
  REDIRECT,
  signInAs,
} from './harness/client.ts';
import { startGateway, type TestGateway } from './harness/gateway.ts';

describe('a user who signs in', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it.each(['a-b.c_d:e%f+g h', "~!*'()/?&="])(
    'is signed in where the secret of the gateway at the provider is %s',
    async (clientSecret) => {
      const own = await startGateway({ clientSecret });
      onTestFinished(() => own.close());
      expect((await signInAs(own, 'alice')).status).toBe(200);
    },
  );

  it('allows a client, which gets an opaque token for the gateway', async () => {
    const tokens = await signInAs(gateway, 'alice');
    expect(tokens).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'mcp:read', expires_in: 3600 },
    });
    expect(tokens.body['access_token']).toMatch(/^[\w-]{43}$/u);
    const verified = await gateway.broker.verifier.verify(String(tokens.body['access_token']));
    expect(verified).toMatchObject({
      ok: true,
      principal: {
        subject: 'alice',
        issuer: gateway.provider.issuer,
        email: 'alice@example.com',
        groups: ['staff'],
        scopes: ['mcp:read'],
      },
    });
  });

  it('is sent back with the issuer of the gateway and the state of the client', async () => {
    const { url } = authorizationRequest(gateway);
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    expect(page.url.startsWith(REDIRECT)).toBe(true);
    expect(redirected(page).get('iss')).toBe(gateway.url);
    expect(redirected(page).get('state')).toBe('the state of the client');
  });

  it('sees the name of the client, where the result goes, and what it permits', async () => {
    const { url } = authorizationRequest(gateway, {
      scope: 'mcp:read offline_access',
      prompt: 'consent',
    });
    const page = await signIn(url, createTestUser('alice'), {
      consent: 'deny',
      browser: clientBrowser(),
    });
    expect(redirected(page).get('error')).toBe('access_denied');
  });

  it('gives the client new tokens as long as the provider confirms the sign-in', async () => {
    const first = await signInAs(gateway, 'bob');
    const second = await refresh(gateway, first.body['refresh_token']);
    expect(second.status).toBe(200);
    expect(second.body['access_token']).not.toBe(first.body['access_token']);
    expect(second.body['refresh_token']).not.toBe(first.body['refresh_token']);
  });
});
