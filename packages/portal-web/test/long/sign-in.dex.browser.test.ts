import { listAccessibilityProblems, startDex } from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { portalSuiteOf } from '../harness/portal-suite.ts';
import {
  signInAt,
  signOutAt,
  startPeoplePortal,
  type Addresses,
  type SignInSetup,
} from '../harness/people.ts';
import { button, continueTo, describeAgent } from '../harness/wizard.ts';

const SECRET = 'the secret of the portal';

const ends: (() => Promise<void>)[] = [];

/** Dex gives its clients no access tokens for other services: all services accept the ID tokens of the portal. */
const setUp = async ({ portal: url, config }: Addresses): Promise<SignInSetup> => {
  const dex = await startDex({
    clients: [{ id: 'portal', secret: SECRET, redirectURIs: [`${url}auth/callback`] }],
  });
  ends.push(dex.close);
  config.write('secret', SECRET);
  const { issuer } = dex;
  return {
    auth: { mode: 'resource-server', issuers: [{ issuer, audiences: ['portal'], scopes: [] }] },
    servers: {},
    portalArgs: [
      ...['--issuer', issuer, '--client-id', 'portal', '--token', 'id_token'],
      ...['--client-secret-file', `${config.path}/secret`],
    ],
    agentManagerArgs: [
      ...['--enable-oauth', '--public-url', 'http://agents.example.com'],
      ...['--oauth-issuer', issuer, '--oauth-audiences', 'portal'],
    ],
  };
};

const { portal, open, openEmpty } = portalSuiteOf(() => startPeoplePortal(setUp));
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const accountOf = (page: Page, name: string) => page.locator('header').getByText(name);

it('a user signs in at Dex, comes back to the same page, creates an agent, and signs out', async () => {
  const { page } = await open('agents/new?toolset=["preset:read-only"]');
  await page.getByRole('heading', { name: 'Portal' }).waitFor();
  expect(await listAccessibilityProblems(page)).toEqual([]);
  const login = 'alice@example.com';
  await signInAt(page, portal, { login, path: 'agents/new?toolset=["preset:read-only"]' });
  await accountOf(page, 'alice').waitFor();
  await describeAgent(page, 'from-dex');
  await page.getByRole('heading', { name: /Resolves to, for you/ }).waitFor();
  await continueTo(page, 'Review the agent');
  await page.getByText('agent-manager accepts this agent.').waitFor();
  await button(page, 'Create agent').click();
  await page.getByRole('heading', { name: 'from-dex' }).waitFor();
  await signOutAt(page);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
  await page.goto(new URL('agents/default/from-dex', portal.url).href);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
  expect(await page.getByText('from-dex').count()).toBe(0);
});

it('two people are signed in side by side', async () => {
  const [alice, bob] = [await openEmpty(), await openEmpty()];
  await signInAt(alice.page, portal, { login: 'alice@example.com', path: 'catalog' });
  await signInAt(bob.page, portal, { login: 'bob@example.com', path: 'catalog' });
  await accountOf(alice.page, 'alice').waitFor();
  await accountOf(bob.page, 'bob').waitFor();
  for (const { page } of [alice, bob])
    await page.getByRole('row').filter({ hasText: 'core_' }).first().waitFor();
});

it('a wrong password does not sign in', async () => {
  const { page } = await open('', { mayReport: true });
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('input[name=login]').fill('alice@example.com');
  await page.locator('input[name=password]').fill('wrong');
  await page.locator('button[type=submit]').click();
  await page.getByText(/invalid/i).waitFor();
  await page.goto(portal.url);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
});
