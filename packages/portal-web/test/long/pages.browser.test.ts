import { listAccessibilityProblems } from '@gateway/test-peers';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tabTo, untilFocused } from '../harness/keyboard.ts';
import { untilLoaded } from '../harness/layout.ts';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';

const suite = portalSuite(() => startPortal({ prefix: '/tools/' }));
const { portal, openEmpty, openLoaded } = suite;

/** The pages of the navigation. */
const PAGES = [
  ...['Overview', 'Agents', 'Catalog', 'Toolsets', 'Workflows'],
  ...['Presets', 'Servers', 'Events', 'Usage'],
];
const PATHS = PAGES.map((name) => (name === 'Overview' ? '' : name.toLowerCase()));

const navigationOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' });

testAccessibility('all pages', suite, () => PATHS);

it('every page is reached with the keyboard alone, and named by the title of the window', async () => {
  const { page } = await openLoaded('');
  const links = await navigationOf(page).getByRole('link').all();
  const addresses = links.map(async (link) => link.getAttribute('href'));
  expect(await Promise.all(addresses)).toEqual(PATHS.map((path) => `/tools/${path}`));
  for (const [at, path] of PATHS.entries()) {
    await page.goto(portal.url);
    await untilLoaded(page);
    await tabTo(navigationOf(page).locator(`[href="/tools/${path}"]`));
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(new URL(path, portal.url).href + '**');
    await untilLoaded(page);
    await expect.poll(() => page.title()).toBe(`${PAGES[at] ?? ''} – Portal`);
  }
});

/** Lets the requests whose address or body has a text wait for their answers. */
const holdRequests = async (page: Page, text: string): Promise<void> => {
  await page.route('**/*', async (route) => {
    const request = route.request();
    const isHeld = `${request.url()} ${request.postData() ?? ''}`.includes(text);
    if (!isHeld) await route.continue();
  });
};

describe('a page that is still loading', () => {
  it.each([
    ['', 'Loading', '/session'],
    ['catalog', 'Loading', 'list_tools'],
    ['catalog/x_notes_list_notes', 'Loading', 'describe_tool'],
    ['presets', 'Counting the tools', 'filter_tools'],
    ['agents/default/hostile', 'Loading the agent', '/v1/agents/default/hostile'],
    ['agents/default/hostile', 'Loading the status', '/hostile/status'],
    ['agents/default/hostile/edit', 'Loading the agent', '/v1/agents/default/hostile'],
    ['agents', 'Loading the agents', '/v1/'],
    ['agents/new', 'Loading the steps', '/v1/'],
    ['agents/new?step=Tools', 'Loading the catalog', '/mcp'],
    ['workflows', 'Loading the workflows', '/mcp'],
    ['workflows/missing', 'Loading the workflow', '/mcp'],
    ['presets/notes', 'Loading the rules', '/mcp'],
    ['runs', 'Loading the runs', '/mcp'],
    ['runs/missing', 'Loading the run', '/mcp'],
    ['servers', 'Loading the servers', '/mcp'],
    ['servers/missing', 'Loading the server', '/mcp'],
    ['servers/notes-home?tab=events', 'Loading the events', 'core_events'],
    ['', 'Loading the runs', 'core_workflow_execution_list'],
    ['usage', 'Loading the usage', 'core_usage_get'],
    ['events', 'Loading the events', '/mcp'],
  ])('meets WCAG 2.2 AA: %s, %s', async (path, label, held) => {
    const { page } = await openEmpty();
    await holdRequests(page, held);
    await page.goto(new URL(path, portal.url).href);
    await page.getByRole('progressbar', { name: label, exact: true }).first().waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
  });
});

describe('the title of the window', () => {
  it.each([
    ['agents/default/hostile', / – Agent – Portal$/],
    ['agents/default/missing', /^There is no agent default\/missing – Portal$/],
    ['agents/new', /^New agent – Portal$/],
    ['catalog/x_notes_list_notes', /^x_notes_list_notes – Tool – Portal$/],
    ['workflows/missing', /^missing – Workflow – Portal$/],
    ['presets/notes', / – Preset – Portal$/],
    ['servers/notes', /^notes – Server – Portal$/],
    ['nowhere', /^This page does not exist – Portal$/],
  ])('of %s is %s', async (path, title) => {
    const { page } = await openLoaded(path, { mayReport: true });
    await expect.poll(() => page.title()).toMatch(title);
  });
});

describe('the keyboard', () => {
  it('leads past the navigation', async () => {
    const { page } = await openLoaded('catalog');
    await page.keyboard.press('Tab');
    await untilFocused(page.getByRole('button', { name: 'Skip to the content' }));
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1 }));
  });

  it('opens and closes the menu of a small window', async () => {
    const { page } = await openLoaded('catalog', { width: 360, height: 740 });
    const menu = page.getByRole('button', { name: 'Menu' });
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    const navigation = navigationOf(page);
    const links = navigation.getByRole('link');
    // Nothing of the closed menu is reached with the Tab key.
    expect(await navigation.getAttribute('inert')).toBe('');
    await menu.focus();
    await page.keyboard.press('Enter');
    await untilFocused(links.first());
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await untilFocused(menu);
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await untilFocused(links.first());
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Overview' }));
  });
});
