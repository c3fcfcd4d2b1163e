import { launchBrowser } from '@gateway/test-peers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader } from '../harness/reader.ts';

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([
    startPortal({ gatewayArgs: ['--expose', 'native'] }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

const open = async (path: string) => {
  const reader = await openReader(browser);
  onTestFinished(reader.close);
  await reader.page.goto(new URL(path, portal.url).href);
  return reader;
};

describe('the portal before a gateway in native mode', () => {
  it.each([
    ['catalog?server=notes', 'x_notes_create_note'],
    ['servers', 'notes-home'],
    ['workflows', 'remember'],
    ['presets', 'read-only'],
    ['events', 'broken'],
  ])('shows on the page %s what the gateway has', async (path, shown) => {
    const { page, problems } = await open(path);
    await page.getByRole('main').getByText(shown).first().waitFor();
    expect(problems).toEqual([]);
  });

  it('calls a tool by its exposed name', async () => {
    const { page, problems } = await open('catalog/x_everything_get-tiny-image?tab=try');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('status').getByRole('img', { name: 'Result' }).waitFor();
    expect(problems).toEqual([]);
  });
});
