import type { Page } from 'playwright-core';

/** Returns the number of pixels by which a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

/** Waits until the page has its heading and loads nothing more. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    'document.querySelector("[class*=Loader-root], [class*=Skeleton-root]") === null',
  );
};
