import { listAccessibilityProblems } from '@gateway/test-peers';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startBrokerPortal } from '../harness/broker-portal.ts';
import { portalSuiteOf } from '../harness/portal-suite.ts';
import { chooseSignOut, signInAt, signOutAt } from '../harness/people.ts';

const { portal, openAs } = portalSuiteOf(startBrokerPortal);

const AGENTS = 'agent-manager/api/v1/agents';

/** Signs in as somebody else in another tab, as after the first user left the browser. */
const becomeInOtherTab = async (context: BrowserContext, login: string): Promise<Page> => {
  const other = await context.newPage();
  await context.clearCookies();
  await signInAt(other, portal, { login, path: 'servers' });
  return other;
};

const SERVICES = /\/(?:mcp|agent-manager\/.*)$/u;

/** Holds the requests of a page to the services. Those that are released have an answer at the end. */
const holdRequests = async (page: Page) => {
  const held: Route[] = [];
  await page.route(SERVICES, (route) => void held.push(route));
  const release = async (): Promise<void> => {
    const routes = held.splice(0);
    // A request that the page has cancelled cannot continue.
    await Promise.all(routes.map((route) => route.continue().catch(() => undefined)));
    await Promise.all(routes.map((route) => route.request().response()));
  };
  return { held, release };
};

const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const draftsOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'Object.keys(sessionStorage).filter((key) => key.startsWith("draft ")).length',
  );

describe('a tab of a user', () => {
  it('shows nothing of this user when another one signs in in another tab', async () => {
    const { page, context } = await openAs('alice', 'catalog/x_mail_whoami?tab=try', {
      mayReport: true,
    });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Call a tool that may be destructive?' });
    await question.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('"subject":"alice"').waitFor();
    const shown = await page.locator('header').getByRole('button').last().innerText();
    await becomeInOtherTab(context, 'bob');
    await page.getByText('"subject":"alice"').waitFor({ state: 'detached' });
    const now = page.locator('header').getByRole('button').last();
    await expect.poll(() => now.innerText()).not.toBe(shown);
  });

  it('cannot read in the name of the user who signed in in another tab', async () => {
    const { page, context } = await openAs('carol', 'catalog', { mayReport: true });
    const token = await page.evaluate<string>(
      'fetch("session").then((r) => r.json()).then((s) => s.token)',
    );
    await becomeInOtherTab(context, 'dave');
    const read = `fetch("${AGENTS}", { headers: { "x-portal-token": "${token}" } }).then((r) => r.status)`;
    expect(await page.evaluate<number>(read)).toBe(403);
  });
});

describe('a draft', () => {
  it('is removed at the sign-out, in all tabs', async () => {
    const { page, context } = await openAs('erin', 'agents/new', { mayReport: true });
    await nameOf(page).fill('secret-plan');
    const other = await context.newPage();
    await other.goto(new URL('agents/new', portal.url).href);
    await nameOf(other).fill('second-plan');
    expect([await draftsOf(page), await draftsOf(other)]).toEqual([1, 1]);
    await signOutAt(page);
    await other.getByText('Sign in to see your agents and tools.').waitFor();
    await page.goto(portal.url);
    await page.getByText('Sign in to see your agents and tools.').waitFor();
    expect([await draftsOf(page), await draftsOf(other)]).toEqual([0, 0]);
  });

  it('is not shown to a user of the same name', async () => {
    const { page } = await openAs('frank', 'agents/new');
    await nameOf(page).fill('secret-plan');
    const key = await page.evaluate<string>(
      'Object.keys(sessionStorage).find((key) => key.startsWith("draft "))',
    );
    expect(key).not.toContain('frank');
    expect(key).toMatch(/ [\w-]{43}$/u);
  });
});

describe('a sign-out', () => {
  it('that fails says so, and keeps the user and the draft', async () => {
    const { page } = await openAs('grace', 'agents/new', { mayReport: true });
    await nameOf(page).fill('kept-plan');
    await page.route('**/auth/end', (route) => route.fulfill({ status: 503, body: '{}' }));
    await chooseSignOut(page);
    await page.getByRole('alert').getByText('The sign-out failed').waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
    expect(await nameOf(page).inputValue()).toBe('kept-plan');
    await page.unroute('**/auth/end');
    await signOutAt(page);
    await page.waitForURL((url) => !url.pathname.startsWith('/agents'));
  });

  it('that is not answered fails after half a minute', async () => {
    const { page } = await openAs('judy', 'servers', { mayReport: true });
    const startedAt = performance.now();
    await page.route('**/auth/end', () => undefined);
    await chooseSignOut(page);
    await page.getByRole('alert').getByText('The sign-out failed').waitFor();
    expect(performance.now() - startedAt).toBeGreaterThan(29_000);
    await page.getByRole('link', { name: 'Catalog' }).click();
    await page.getByText('x_mail_whoami').waitFor();
  });

  it('cancels what the page reads, so that nothing is refused after the end of the session', async () => {
    const { page } = await openAs('heidi', 'servers', { mayReport: true });
    const { held, release } = await holdRequests(page);
    await page.route('**/auth/end', async (route) => {
      const response = await route.fetch();
      await release();
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Events' }).click();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await chooseSignOut(page);
    await page.getByText('Sign in to see your agents and tools.').waitFor();
  });

  it('in progress delays what the page reads, until it fails', async () => {
    const { page } = await openAs('ivan', 'servers', { mayReport: true });
    const { held, release } = await holdRequests(page);
    let during: number | undefined;
    await page.route('**/auth/end', async (route) => {
      await release();
      await page.getByRole('link', { name: 'Catalog' }).click();
      await page.getByRole('heading', { name: 'Catalog' }).waitFor();
      during = held.length;
      await route.fulfill({ status: 503, body: '{}' });
    });
    await chooseSignOut(page);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(during).toBe(0);
    await page.unroute(SERVICES);
    await release();
    await page.getByText('x_mail_whoami').waitFor();
  });
});
