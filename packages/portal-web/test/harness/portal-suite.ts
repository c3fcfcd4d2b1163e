import { launchBrowser, listAccessibilityProblems } from '@gateway/test-peers';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { overflowOf, untilLoaded } from './layout.ts';
import { signInAt } from './people.ts';
import { startPortal, type TestPortal } from './portal.ts';
import { openReader, type Reader, type ReaderOptions } from './reader.ts';

/** What the tests of a file are about. */
interface Started {
  /** With a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

type Open = (path: string, options?: SuiteReaderOptions) => Promise<Reader>;

/** A portal and a browser for all tests of a file. */
interface PortalSuite<P extends Started> {
  /** Empty until the tests begin. */
  readonly portal: P;
  /** Opens an address of the portal for a user of its own, until the end of the test. */
  readonly open: Open;
  /** Also waits until the page loads nothing more. */
  readonly openLoaded: Open;
  /** Opens an empty page for a user of its own, until the end of the test. */
  readonly openEmpty: (options?: SuiteReaderOptions) => Promise<Reader>;
  /** Opens a path for a user who signs in. */
  readonly openAs: (login: string, path: string, options?: SuiteReaderOptions) => Promise<Reader>;
}

interface SuiteReaderOptions extends ReaderOptions {
  /** Answers of the services fail in this test, which the browser reports. */
  readonly mayReport?: boolean;
}

/** Returns a function that opens an empty page for a user of its own. A test fails when a page reports a problem. */
const browserSuite = (): ((options?: SuiteReaderOptions) => Promise<Reader>) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });
  return async ({ mayReport = false, ...options } = {}) => {
    const reader = await openReader(browser, options);
    onTestFinished(async () => {
      await reader.close();
      if (!mayReport) expect(reader.problems).toEqual([]);
    });
    return reader;
  };
};

/** Starts a portal and a browser before the tests of a file, and closes them after the tests. */
export const portalSuiteOf = <P extends Started>(start: () => Promise<P>): PortalSuite<P> => {
  const portal = {} as P;
  const openEmpty = browserSuite();
  beforeAll(async () => {
    Object.assign(portal, await start());
    return () => portal.close();
  });
  const open: Open = async (path, options) => {
    const reader = await openEmpty(options);
    await reader.page.goto(new URL(path, portal.url).href);
    return reader;
  };
  const openLoaded: Open = async (path, options) => {
    const reader = await open(path, options);
    await untilLoaded(reader.page);
    return reader;
  };
  const openAs: PortalSuite<P>['openAs'] = async (login, path, options) => {
    const reader = await openEmpty(options);
    await signInAt(reader.page, portal, { login, path });
    return reader;
  };
  return { portal, open, openLoaded, openEmpty, openAs };
};

/** Starts a portal with samples and a browser before the tests of a file. */
export const portalSuite = (
  start: () => Promise<TestPortal> = startPortal,
): PortalSuite<TestPortal> => portalSuiteOf(start);

/** Expects a page without violations of WCAG 2.2 AA that fits into its window. */
export const expectAccessible = async (page: Page): Promise<void> => {
  expect([await listAccessibilityProblems(page), await overflowOf(page)]).toEqual([[], 0]);
};

const APPEARANCES = [
  ['light', 1200],
  ['dark', 360],
] as const;

/** Defines the tests that pages meet WCAG 2.2 AA and fit into a window, wide and light, and narrow and dark. */
export const testAccessibility = (
  subject: string,
  { portal, open }: Pick<PortalSuite<Started>, 'portal' | 'open'>,
  listPaths: () => readonly string[] | Promise<readonly string[]>,
): void => {
  it.each(APPEARANCES)(
    `${subject} meet WCAG 2.2 AA in %s and fit into %i px`,
    async (colorScheme, width) => {
      const paths = await listPaths();
      const { page } = await open(paths[0] ?? '', { colorScheme, width });
      for (const path of paths) {
        await page.goto(new URL(path, portal.url).href);
        await untilLoaded(page);
        await expectAccessible(page);
      }
    },
  );
};
