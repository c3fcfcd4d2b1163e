import { createPrincipal } from '@gateway/call-contract';
import { launchBrowser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scene } from '../sign-in/test-gateway.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const ISSUER = `https://people.example/realms/${'department'.repeat(12)}`;
const USER = createPrincipal({ issuer: ISSUER, subject: 'alice', email: 'alice@example.com' });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Opens the link of a sign-in in a browser that runs no script. */
const openLink = async (options: Parameters<Browser['newContext']>[0] = {}) => {
  const all = await scene();
  const link = await all.gateway.link(all.tools, USER);
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(link);
  return { ...all, page, problems };
};

/** Moves the focus to a button with the keyboard, and presses it. */
const pressButton = async (page: Page, name: string): Promise<void> => {
  for (let stops = 0; stops < 5; stops += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').innerText()) === name) return page.keyboard.press('Enter');
  }
  throw new Error(`no button "${name}"`);
};

const signInAtProvider = async (page: Page): Promise<void> => {
  await page.getByLabel('Name').fill('alice');
  await page.getByLabel('Password').fill('password');
  await page.getByRole('button', { name: 'Sign in' }).press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
};

describe('the page of a link in a browser without script', () => {
  it('leads with the keyboard alone to the sign-in', async () => {
    const { page, problems, gateway, tools } = await openLink();
    expect(await page.locator('h1').innerText()).toBe('Connect “tools”?');
    await pressButton(page, 'Continue');
    await signInAtProvider(page);
    await page.getByText('You are signed in to tools.').waitFor();
    expect(await gateway.request(tools, USER)).toBe(200);
    expect(problems).toEqual([]);
  });

  it('leads to the choice of another account', async () => {
    const { page, issuer } = await openLink();
    const sent = page.waitForRequest((request) => request.url().startsWith(issuer.issuer));
    await pressButton(page, 'Use another account');
    const { searchParams } = new URL((await sent).url());
    expect(searchParams.get('prompt')?.split(' ')).toContain('select_account');
  });

  it('ends the sign-in', async () => {
    const { page, issuer } = await openLink();
    await pressButton(page, 'Cancel');
    await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
    expect(issuer.count('/auth')).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('the page with the colors %s', (colorScheme) => {
  it.each([360, 1280])('fits a screen of %i pixels with a long issuer', async (width) => {
    const { page } = await openLink({ colorScheme, viewport: { width, height: 800 } });
    expect(await page.locator('dl').innerText()).toContain(ISSUER);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const tooWide = `[...document.querySelectorAll('dd, p')].filter(
      (element) => element.scrollWidth > element.clientWidth).length`;
    expect(await page.evaluate(tooWide)).toBe(0);
  });
});
