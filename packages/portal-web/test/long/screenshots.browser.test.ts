import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { launchPackagedBrowser } from '@gateway/test-peers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DOCUMENTED_PAGES, IMAGES, type DocumentedPage } from '../harness/documented-pages.ts';
import { startExamplePortal, type ExamplePortal } from '../harness/example-portal.ts';
import { untilLoaded } from '../harness/layout.ts';
import { openReader } from '../harness/reader.ts';

let portal: ExamplePortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startExamplePortal(), launchPackagedBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

/** Pictures are written when the environment variable `UPDATE_PICTURES` is set. */
const isUpdating = process.env['UPDATE_PICTURES'] !== undefined;

/** Metrics are a chart after some reads of them; only pictures wait for that. */
const takePicture = async (
  page: Page,
  { isEnd = false, text }: DocumentedPage,
): Promise<Buffer> => {
  if (isEnd) await page.evaluate('scrollTo({ top: 1e6, behavior: "instant" })');
  if (isUpdating && text !== undefined) await page.getByText(text).first().waitFor();
  return page.screenshot({ animations: 'disabled' });
};

/** Writes a picture of the guide. */
const save = async (name: string, picture: Buffer): Promise<void> => {
  if (!isUpdating) return;
  await mkdir(IMAGES, { recursive: true });
  await writeFile(join(IMAGES, `${name}.png`), picture);
};

const followLink = async (page: Page, address: string): Promise<void> => {
  await page.locator(`main a[href^="${address}"]`).first().click();
  await page.waitForURL(`**${address}*`);
  await untilLoaded(page);
};

it.each(DOCUMENTED_PAGES.map((documented) => [documented.name, documented] as const))(
  'the page %s has no alert, no error and no violation of the policy',
  async (name, documented) => {
    const { path, follow, colorScheme, isSmall = false } = documented;
    const { page, problems, close } = await openReader(browser, {
      colorScheme: colorScheme ?? 'light',
      width: isSmall ? 360 : 1000,
      height: 680,
    });
    onTestFinished(close);
    await page.goto(new URL(path, portal.url).href);
    await untilLoaded(page);
    if (follow !== undefined) await followLink(page, follow);
    await save(name, await takePicture(page, documented));
    expect(await page.getByText(/did not answer|failed unexpectedly/u).count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
