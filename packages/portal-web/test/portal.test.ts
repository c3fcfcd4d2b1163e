import { launchBrowser } from '@gateway/test-peers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { countBytes } from './harness/first-load.ts';
import { startPortal, type TestPortal } from './harness/portal.ts';
import { openReader, type ReaderOptions } from './harness/reader.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ prefix: '/tools/' }), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

const open = async (path: string, options: ReaderOptions = {}) => {
  const reader = await openReader(browser, options);
  onTestFinished(reader.close);
  await reader.page.goto(new URL(path, portal.url).href);
  return reader;
};

it('lists tools below a path prefix, without any error or violation of the policy', async () => {
  const { page, problems } = await open('catalog?query=note');
  await page.getByText('x_notes_create_note').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/tools/catalog');
  expect(problems).toEqual([]);
});

it('shows agents with what they can use', async () => {
  const { page, problems } = await open('agents');
  await page.getByText('preset:notes').first().waitFor();
  await page.getByText('Full gateway access').first().waitFor();
  expect(problems).toEqual([]);
});

it('shows markup of others as text', async () => {
  const { page, problems } = await open('catalog?query=markup');
  await page.getByText('<img src=x onerror').first().waitFor();
  expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  expect(problems).toEqual([]);
});

const FIRST_LOAD_BYTES = 250_000;

it('loads its first page in less than 250 KB', async () => {
  const reader = await openReader(browser);
  onTestFinished(reader.close);
  const bytes = countBytes(reader.page);
  await reader.page.goto(portal.url);
  await reader.page.getByRole('listitem').first().waitFor();
  expect(await bytes()).toBeLessThan(FIRST_LOAD_BYTES);
});
