import { signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { authorizationRequest, clientBrowser, exchange, redirected } from './harness/client.ts';
import { startGateway } from './harness/gateway.ts';

const LISTED = { metadataFields: { prompt_values_supported: ['none', 'login', 'consent'] } };

describe('a client that asks for another sign-in', () => {
  it.each([
    ['login', 'login'],
    ['select_account', 'login'],
    ['login select_account consent', 'login'],
  ])('with prompt=%s lets the user sign in at the provider again', async (prompt, sent) => {
    const gateway = await startGateway({ provider: LISTED });
    onTestFinished(() => gateway.close());
    const browser = clientBrowser();
    const first = await signIn(authorizationRequest(gateway).url, createTestUser('alice'), {
      browser,
    });
    expect(redirected(first).get('code')).not.toBeNull();
    const { url, verifier } = authorizationRequest(gateway, { prompt });
    const page = await signIn(url, createTestUser('alice'), { browser });
    const away = page.visited.filter((at) => at.startsWith(`${gateway.provider.issuer}/auth?`));
    expect(away.map((at) => new URL(at).searchParams.get('prompt'))).toEqual([sent]);
    const { body } = await exchange(gateway, redirected(page).get('code') ?? '', verifier);
    const verified = await gateway.broker.verifier.verify(String(body['access_token']));
    expect(verified).toMatchObject({ ok: true, principal: { subject: 'alice' } });
  });

  it('sends prompt=select_account to a provider that may know it', async () => {
    const gateway = await startGateway();
    onTestFinished(() => gateway.close());
    const { url } = authorizationRequest(gateway, { prompt: 'select_account' });
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    const away = page.visited.find((at) => at.startsWith(`${gateway.provider.issuer}/auth?`));
    expect(new URL(away ?? '').searchParams.get('prompt')).toBe('select_account');
  });
});
