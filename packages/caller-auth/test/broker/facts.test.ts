import { signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallerSignInFact } from '../../src/index.ts';
import { authorizationRequest, clientBrowser, signInAs } from './harness/client.ts';
import { startGateway, type TestGateway } from './harness/gateway.ts';

const observed = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const facts: CallerSignInFact[] = [];
  const gateway: TestGateway = await startGateway({
    settings,
    observe: (fact) => void facts.push(fact),
  });
  onTestFinished(gateway.close);
  const user = { subject: 'alice', issuer: gateway.provider.issuer };
  return { gateway, facts, user };
};

describe('the facts of sign-ins at the gateway', () => {
  it('are the sign-in, the consent for the client, and the sign-out, once each', async () => {
    const { gateway, facts, user } = await observed();
    const browser = clientBrowser();
    await signInAs(gateway, 'alice', {}, browser);
    const client = { ...user, client: 'gateway-cli' };
    expect(facts).toEqual([
      { code: 'signed-in', ...user },
      { code: 'consent-given', ...client },
    ]);
    const page = await browser.open(`${gateway.url}/oauth/logout`);
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    expect((await browser.submit(page, form)).text).toContain(
      'You are signed out of this gateway.',
    );
    expect(facts.slice(2)).toEqual([{ code: 'signed-out', ...user }]);
  });

  it('have a refused consent', async () => {
    const { gateway, facts, user } = await observed();
    const browser = clientBrowser();
    await signInAs(gateway, 'alice', {}, browser);
    // The browser is signed in, so that only the gateway asks for consent.
    const { url } = authorizationRequest(gateway, { prompt: 'consent' });
    await signIn(url, createTestUser('alice'), { consent: 'deny', browser });
    expect(facts.slice(2)).toEqual([{ code: 'consent-refused', ...user, client: 'gateway-cli' }]);
  });

  it('have a provider that does not answer', async () => {
    const { gateway, facts } = await observed();
    gateway.provider.setFault(({ path }) => (path === '/token' ? 'reset' : undefined));
    const { url } = authorizationRequest(gateway);
    await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    expect(facts).toEqual([
      { code: 'provider-unavailable' },
      { code: 'sign-in-failed', problem: 'unavailable' },
    ]);
  });

  it('have a client that registered itself', async () => {
    const { gateway, facts } = await observed({ registration: { enabled: true } });
    const response = await fetch(`${gateway.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['http://127.0.0.1/callback'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id: client } = (await response.json()) as { readonly client_id: string };
    expect(facts).toEqual([{ code: 'client-registered', client }]);
  });
});

describe('a provider that is away', () => {
  const openLink = (gateway: TestGateway) =>
    signIn(authorizationRequest(gateway).url, createTestUser('alice'), {
      browser: clientBrowser(),
    });
  const away = { code: 'provider-unavailable' };
  const failed = { code: 'sign-in-failed', problem: 'unavailable' };

  it('is a fact once in each outage, also when it answers without JSON', async () => {
    const { gateway, facts } = await observed();
    const fault = { status: 503, body: '<p>Service Unavailable</p>' };
    gateway.provider.setFault(({ path }) => (path === '/token' ? fault : undefined));
    for (let count = 0; count < 3; count += 1) await openLink(gateway);
    expect(facts).toEqual([away, failed, failed, failed]);
    gateway.provider.setFault(undefined);
    await signInAs(gateway, 'alice');
    gateway.provider.setFault(({ path }) => (path === '/token' ? 'reset' : undefined));
    await openLink(gateway);
    expect(facts.slice(4).map(({ code }) => code)).toEqual([
      'signed-in',
      'consent-given',
      'provider-unavailable',
      'sign-in-failed',
    ]);
  });

  it('is not a provider that refuses a request', async () => {
    const { gateway, facts } = await observed();
    const fault = { status: 400, body: '<p>Bad Request</p>' };
    gateway.provider.setFault(({ path }) => (path === '/token' ? fault : undefined));
    await openLink(gateway);
    expect(facts).toEqual([{ code: 'sign-in-failed', problem: 'invalid' }]);
  });
});
