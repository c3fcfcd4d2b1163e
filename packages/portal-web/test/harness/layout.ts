import { retryAssertion } from '@gateway/repo-checks';
import type { Page } from 'playwright-core';

/** Returns the number of pixels by which a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

/** Waits until the page has its heading and loads nothing more. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loaders = page.locator('[class*=Loader-root], [class*=Skeleton-root]');
  // A condition in the page would be compiled there, which the policy of the page forbids.
  await retryAssertion(async () => {
    if ((await loaders.count()) > 0) throw new Error('the page is still loading');
  });
};
