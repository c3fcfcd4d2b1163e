import { listAccessibilityProblems, launchBrowser } from '@gateway/test-peers';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tabTo, untilFocused } from '../harness/keyboard.ts';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader, type ReaderOptions } from '../harness/reader.ts';

let portal: TestPortal;
let browser: Browser;
/** The pages of the navigation. */
let paths: readonly string[];

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ prefix: '/tools/' }), launchBrowser()]);
  const { page, close } = await openReader(browser);
  await page.goto(portal.url);
  await untilLoaded(page);
  paths = await linksOf(page);
  await close();
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

const navigationOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' });

const linksOf = async (page: Page): Promise<readonly string[]> => {
  const links = await navigationOf(page).getByRole('link').all();
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
};

const openPortal = async (options: ReaderOptions = {}) => {
  const reader = await openReader(browser, options);
  onTestFinished(reader.close);
  return reader;
};

const goTo = async (page: Page, path: string): Promise<void> => {
  await page.goto(new URL(path, portal.url).href);
  await untilLoaded(page);
};

/** Visits every page and returns what `examine` finds on each. */
const visitAll = async <T>(
  page: Page,
  examine: (page: Page) => Promise<T>,
): Promise<ReadonlyMap<string, T>> => {
  const found = new Map<string, T>();
  for (const path of paths) {
    await goTo(page, path);
    found.set(path, await examine(page));
  }
  return found;
};

const onEach = <T>(value: T): ReadonlyMap<string, T> => new Map(paths.map((path) => [path, value]));

describe('every page', () => {
  it.each(['light', 'dark'] as const)('meets WCAG 2.2 AA in %s', async (colorScheme) => {
    const { page, problems } = await openPortal({ colorScheme });
    expect(await visitAll(page, listAccessibilityProblems)).toEqual(onEach([]));
    expect(problems).toEqual([]);
  });

  it('fits into a window of 360 pixels', async () => {
    const { page, problems } = await openPortal({ width: 360, height: 740 });
    expect(await visitAll(page, overflowOf)).toEqual(onEach(0));
    expect(problems).toEqual([]);
  });

  it('meets WCAG 2.2 AA on a small screen', async () => {
    const { page } = await openPortal({ width: 360, height: 740 });
    expect(await visitAll(page, listAccessibilityProblems)).toEqual(onEach([]));
  });

  it('is reached with the keyboard alone', async () => {
    const { page, problems } = await openPortal();
    for (const path of paths) {
      await goTo(page, '');
      await tabTo(navigationOf(page).locator(`[href="${path}"]`));
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe(
        'solid',
      );
      await page.keyboard.press('Enter');
      await page.waitForURL(new URL(path, portal.url).href + '**');
      await untilLoaded(page);
    }
    expect(problems).toEqual([]);
  });
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
    ['servers/notes-home', 'Loading the events', 'core_events'],
    ['events', 'Loading the events', '/mcp'],
  ])('meets WCAG 2.2 AA: %s, %s', async (path, label, held) => {
    const { page } = await openPortal();
    await holdRequests(page, held);
    await page.goto(new URL(path, portal.url).href);
    await page.getByRole('progressbar', { name: label, exact: true }).first().waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
  });
});

describe('the title of the window', () => {
  it('names every page', async () => {
    const { page } = await openPortal();
    const titles = await visitAll(page, () => page.title());
    expect([...titles.values()]).toEqual([
      'Agents – Portal',
      'Catalog – Portal',
      'Toolsets – Portal',
      'Workflows – Portal',
      'Presets – Portal',
      'Servers – Portal',
      'Events – Portal',
    ]);
  });

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
    const { page } = await openPortal();
    await goTo(page, path);
    await expect.poll(() => page.title()).toMatch(title);
  });
});

describe('the keyboard', () => {
  it('leads past the navigation', async () => {
    const { page } = await openPortal();
    await goTo(page, 'catalog');
    await page.keyboard.press('Tab');
    await untilFocused(page.getByRole('button', { name: 'Skip to the content' }));
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1 }));
  });

  it('opens and closes the menu of a small window', async () => {
    const { page } = await openPortal({ width: 360, height: 740 });
    await goTo(page, 'catalog');
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
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Agents' }));
  });
});
