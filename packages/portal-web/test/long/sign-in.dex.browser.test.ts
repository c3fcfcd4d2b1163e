import { listAccessibilityProblems, launchBrowser, startDex } from '@gateway/test-peers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  signInAt,
  signOutAt,
  startPeoplePortal,
  type Addresses,
  type PeoplePortal,
  type SignInSetup,
} from '../harness/people.ts';
import { openReader } from '../harness/reader.ts';
import { button, continueTo, describeAgent } from '../harness/wizard.ts';

const SECRET = 'the secret of the portal';

const ends: (() => Promise<void>)[] = [];
let portal: PeoplePortal;
let browser: Browser;

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

beforeAll(async () => {
  browser = await launchBrowser();
  ends.push(() => browser.close());
  portal = await startPeoplePortal(setUp);
  ends.push(portal.close);
});
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const open = async () => {
  const reader = await openReader(browser);
  onTestFinished(reader.close);
  return reader;
};

const accountOf = (page: Page, name: string) => page.locator('header').getByText(name);

it('a user signs in at Dex, comes back to the same page, creates an agent, and signs out', async () => {
  const { page, problems } = await open();
  await page.goto(new URL('agents/new?toolset=["preset:read-only"]', portal.url).href);
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
  expect(problems).toEqual([]);
});

it('two people are signed in side by side', async () => {
  const [alice, bob] = [await open(), await open()];
  await signInAt(alice.page, portal, { login: 'alice@example.com', path: 'catalog' });
  await signInAt(bob.page, portal, { login: 'bob@example.com', path: 'catalog' });
  await accountOf(alice.page, 'alice').waitFor();
  await accountOf(bob.page, 'bob').waitFor();
  for (const { page } of [alice, bob])
    await page.getByRole('listitem').filter({ hasText: 'core_' }).first().waitFor();
  expect([...alice.problems, ...bob.problems]).toEqual([]);
});

it('a wrong password does not sign in', async () => {
  const { page } = await open();
  await page.goto(portal.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('input[name=login]').fill('alice@example.com');
  await page.locator('input[name=password]').fill('wrong');
  await page.locator('button[type=submit]').click();
  await page.getByText(/invalid/i).waitFor();
  await page.goto(portal.url);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
});
