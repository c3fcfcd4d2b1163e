import { launchBrowser } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';

/** A user with a browser of their own, who signs in at Dex. */
export interface User {
  readonly page: Page;
  /** Opens a link, signs in at Dex where it asks, and ends on the consent page of the gateway. */
  openUntilConsent(link: string | URL): Promise<void>;
  /** Opens a link, signs in, consents, and ends where the client listens. */
  signIn(link: string | URL): Promise<void>;
}

/** Starts a browser for a user of Dex, by the name in the e-mail address. The end of the test closes it. */
export const startUser = async (name: string): Promise<User> => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  const openUntilConsent = async (link: string | URL): Promise<void> => {
    await page.goto(String(link));
    if (await page.locator('input[name=password]').isVisible()) {
      await page.fill('input[name=login]', `${name}@example.com`);
      await page.fill('input[name=password]', 'password');
      await page.click('button[type=submit]');
    }
    await page.getByRole('button', { name: 'Allow' }).waitFor();
  };
  return {
    page,
    openUntilConsent,
    signIn: async (link) => {
      await openUntilConsent(link);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(/[?&]code=/u);
    },
  };
};
