import { launchBrowser } from '@gateway/test-peers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { untilLoaded } from './layout.ts';
import { startPortal, type TestPortal } from './portal.ts';
import { openReader, type Reader, type ReaderOptions } from './reader.ts';

/** A portal and a browser for all tests of a file. */
export interface PortalSuite {
  /** Empty until the tests begin. */
  readonly portal: TestPortal;
  /** Opens an address of the portal for a user of its own, until the end of the test. */
  readonly open: (path: string, options?: ReaderOptions) => Promise<Reader>;
  /** Also waits until the page loads nothing more. */
  readonly openLoaded: (path: string, options?: ReaderOptions) => Promise<Reader>;
}

/** Starts a portal and a browser before the tests of a file, and closes them after the tests. */
export const portalSuite = (start: () => Promise<TestPortal> = startPortal): PortalSuite => {
  const portal = {} as TestPortal;
  let browser: Browser;
  beforeAll(async () => {
    const [started, launched] = await Promise.all([start(), launchBrowser()]);
    Object.assign(portal, started);
    browser = launched;
  });
  afterAll(async () => {
    await Promise.all([portal.close(), browser.close()]);
  });
  const open: PortalSuite['open'] = async (path, options = {}) => {
    const reader = await openReader(browser, options);
    onTestFinished(reader.close);
    await reader.page.goto(new URL(path, portal.url).href);
    return reader;
  };
  const openLoaded: PortalSuite['open'] = async (path, options) => {
    const reader = await open(path, options);
    await untilLoaded(reader.page);
    return reader;
  };
  return { portal, open, openLoaded };
};
