import { listAccessibilityProblems } from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { overflowOf, untilLoaded } from './layout.ts';
import type { TestPortal } from './portal.ts';

/** Visits pages, and returns their violations of WCAG 2.2 AA and those that are wider than the window. */
export const visit = async (
  page: Page,
  { portal, paths }: { readonly portal: TestPortal; readonly paths: readonly string[] },
): Promise<readonly object[]> => {
  const found: object[] = [];
  for (const path of paths) {
    await page.goto(new URL(path, portal.url).href);
    await untilLoaded(page);
    const [problems, overflow] = [await listAccessibilityProblems(page), await overflowOf(page)];
    if (problems.length > 0 || overflow > 0) found.push({ path, problems, overflow });
  }
  return found;
};
