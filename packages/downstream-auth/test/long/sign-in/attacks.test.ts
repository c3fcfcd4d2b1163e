import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { scene } from '../../sign-in/scene.ts';
import {
  oauthServer,
  user,
  protectedServer,
  provider,
  testGateway,
} from '../../sign-in/test-gateway.ts';

const ALICE = user('alice');
const BOB = user('bob');

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
    const outcome = await gateway.auth.login(tools, BOB);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const before = issuer.requests.length;
    const headers = { cookie: 'session=alice' };
    const refused = await fetch(outcome.url, { headers, redirect: 'manual' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Authentication session invalid. Please try again.');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(issuer.requests.length).toBe(before);
    // The user who asked for the link can still use it.
    expect((await signIn(outcome.url, createTestUser('bob'))).status).toBe(200);
    expect(await gateway.request(tools, BOB)).toBe(200);
  });

  it('that the user who asked for it opened is of no use in another browser', async () => {
    const { gateway, tools, issuer } = await scene();
    const outcome = await gateway.auth.login(tools, BOB);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const bob = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(issuer.issuer) });
    const started = await signIn(outcome.url, createTestUser('bob'), { browser: bob });
    expect(started.isEnd).toBe(true);
    const page = await signIn(started.url, createTestUser('alice'));
    expect(page.status).toBe(400);
    expect(await gateway.request(tools, BOB)).toBe('sign-in-required');
  });
});

it('does not send a browser to an authorization endpoint without https', async () => {
  const issuer = await provider({
    metadataFields: { authorization_endpoint: 'http://attacker.example/authorize' },
  });
  const peer = await protectedServer({ issuers: [issuer.issuer] });
  const gateway = await testGateway();
  const tools = oauthServer('tools', peer.url);
  gateway.servers.push(tools);
  const outcome = await gateway.auth.login(tools, ALICE);
  expect(outcome).toMatchObject({ code: 'failed' });
});
