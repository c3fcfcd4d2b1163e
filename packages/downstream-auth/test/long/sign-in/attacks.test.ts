import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, scene } from '../../sign-in/test-gateway.ts';

describe('the link of a sign-in', () => {
  it('is refused in a browser in which another user is signed in to the gateway', async () => {
    const { gateway, tools, issuer } = await scene({
      gateway: {
        browserUser: ({ headers }, _response, { principalKey }) => {
          const isAlice = headers.cookie?.includes('session=alice') === true;
          return Promise.resolve(
            isAlice ? { kind: principalKey === ALICE.key ? 'same' : 'other' } : undefined,
          );
        },
      },
    });
    const link = await gateway.link(tools, BOB);
    const before = issuer.requests.length;
    const headers = { cookie: 'session=alice' };
    const refused = await fetch(link, { headers, redirect: 'manual' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Authentication session invalid. Please try again.');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(issuer.requests.length).toBe(before);
    // The user who asked for the link can still use it.
    expect((await signIn(link, createTestUser('bob'))).status).toBe(200);
    expect(await gateway.request(tools, BOB)).toBe(200);
  });

  it('that the user who asked for it opened is of no use in another browser', async () => {
    const { gateway, tools, issuer } = await scene();
    const link = await gateway.link(tools, BOB);
    const bob = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(issuer.issuer) });
    const started = await signIn(link, createTestUser('bob'), { browser: bob });
    expect(started.isEnd).toBe(true);
    const page = await signIn(started.url, createTestUser('alice'));
    expect(page.status).toBe(400);
    expect(await gateway.request(tools, BOB)).toBe('sign-in-required');
  });
});

it('does not send a browser to an authorization endpoint without https', async () => {
  const metadataFields = { authorization_endpoint: 'http://attacker.example/authorize' };
  const { gateway, tools } = await scene({ provider: { metadataFields } });
  expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'failed' });
});
