import type { Locator, Page } from 'playwright-core';

/** Returns the chip of a filter, which shows its value. */
export const filterChip = (page: Page, label: string): Locator =>
  page.getByRole('group', { name: 'Filters' }).getByRole('button', {
    name: new RegExp(`^${label}(:|$)`),
  });

/** Chooses a value of a filter. */
export const chooseFilter = async (page: Page, label: string, choice: string): Promise<void> => {
  await filterChip(page, label).click();
  await page.getByRole('menuitem').filter({ hasText: choice }).first().click();
};

/** Counts the records of a table that are in the page. */
export const countRecords = (page: Page): Promise<number> =>
  page.locator('tbody tr[aria-rowindex]').count();

/** Returns the row of a record by the text of a link in it. */
export const recordRow = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
