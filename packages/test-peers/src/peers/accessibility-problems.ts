import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, with the levels and versions that it includes. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns the violations of WCAG 2.2 AA on a page, each with one of its elements. */
export const accessibilityProblems = async (page: Page): Promise<readonly string[]> => {
  // The library is large: only tests of pages load it.
  const { default: axe } = await import('axe-core');
  await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const problems = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => [`${id}: ${failureSummary}`, html] as const),
  );
  // Rows of a list have the same problem: one of them is shown.
  return [...new Map(problems)].map((parts) => parts.join('\n'));
};
