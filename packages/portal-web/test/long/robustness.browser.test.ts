import { launchBrowser } from '@gateway/test-identity';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { countBytes } from '../harness/first-load.ts';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader, type ReaderOptions } from '../harness/reader.ts';
import { MANY_TOOLS } from '../harness/sample-config.ts';

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ hasManyTools: true }), launchBrowser()]);
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

const HOSTILE = ['markup', 'link', 'long', 'long_word', 'rtl', 'emoji', '__proto__', 'constructor'];

it.each(HOSTILE)('finds the tool %s and shows what it says as text', async (name) => {
  const { page, problems } = await open(`catalog?query=${name}`, { width: 360 });
  await page.getByText(`x_hostile_${name}`, { exact: true }).first().waitFor();
  await untilLoaded(page);
  expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  expect(await overflowOf(page)).toBe(0);
  expect(problems).toEqual([]);
});

/** The milliseconds between frames while the list scrolls to its end. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('[role=list]').closest('[data-scrollarea-viewport]');
  const gaps = [];
  let last = performance.now();
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    list.scrollTop += 800;
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) resolve(gaps);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

it('scrolls through 2,000 tools with few rows in the page', async () => {
  const { page, problems } = await open('catalog');
  await page.getByRole('listitem').first().waitFor();
  const gaps = (await page.evaluate<number[]>(SCROLL)).toSorted((a, b) => a - b);
  const [median = 0, slow = 0] = [0.5, 0.95].map((part) => gaps[Math.floor(gaps.length * part)]);
  process.stdout.write(`frames: median ${median.toFixed(1)} ms, 95 % ${slow.toFixed(1)} ms\n`);
  const rows = page.getByRole('list', { name: 'Tools' }).getByRole('listitem');
  expect(Number(await rows.first().getAttribute('aria-setsize'))).toBeGreaterThan(MANY_TOOLS);
  expect(await rows.count()).toBeLessThan(60);
  expect(problems).toEqual([]);
});

const measureStart = async (page: Page): Promise<number> => {
  await page.getByRole('listitem').first().waitFor();
  return page.evaluate<number>('performance.now()');
};

it('reports how soon the first page can be used', async () => {
  const reader = await openReader(browser);
  onTestFinished(reader.close);
  const bytes = countBytes(reader.page);
  await reader.page.goto(portal.url);
  const first = await measureStart(reader.page);
  process.stdout.write(`first load: ${await bytes()} bytes, ${first.toFixed(0)} ms\n`);
  await reader.page.reload();
  process.stdout.write(`second load: ${(await measureStart(reader.page)).toFixed(0)} ms\n`);
});

it('shows the failure of a gateway that stopped, and recovers when it is back', async () => {
  const { page } = await open('catalog?query=note');
  await page.getByText('x_notes_create_note').first().waitFor();
  await portal.stopGateway();
  await page.reload();
  await page.getByRole('alert').first().waitFor();
  await portal.startGatewayAgain();
  await page.getByText('x_notes_create_note').first().waitFor({ timeout: 60_000 });
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
});
