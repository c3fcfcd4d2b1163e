import { expect, it } from 'vitest';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal } from '../harness/portal.ts';
import { MANY_TOOLS } from '../harness/sample-config.ts';
import { portalSuite } from '../harness/portal-suite.ts';
import { countRecords } from '../harness/table.ts';

const { portal, open } = portalSuite(() => startPortal({ hasManyTools: true }));

const HOSTILE = ['markup', 'link', 'long', 'long_word', 'rtl', 'emoji', '__proto__', 'constructor'];

it.each(HOSTILE)('finds the tool %s and shows what it says as text', async (name) => {
  const { page } = await open(`catalog?query=${name}`, { width: 360 });
  await page.getByText(`x_hostile_${name}`, { exact: true }).first().waitFor();
  await untilLoaded(page);
  expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  expect(await overflowOf(page)).toBe(0);
});

/** Scrolls a page to its end, some rows in each frame. */
const SCROLL = `new Promise((resolve) => {
  const page = document.documentElement;
  const frame = () => {
    page.scrollTop += 800;
    if (page.scrollTop + page.clientHeight >= page.scrollHeight - 1) resolve();
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

it('scrolls through 2,000 tools with few rows in the page', async () => {
  const { page } = await open('catalog');
  await page.getByRole('link', { name: /^x_/ }).first().waitFor();
  await page.evaluate(SCROLL);
  const table = page.getByRole('table', { name: 'Tools' });
  expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(MANY_TOOLS);
  expect(await countRecords(page)).toBeLessThan(60);
});

it('keeps the navigation when the files of a page are missing, and shows the page when they are back', async () => {
  const { page } = await open('catalog?query=note', { mayReport: true });
  await page.getByText('x_notes_create_note').first().waitFor();
  const files = '**/assets/events-page*';
  await page.route(files, (route) => route.abort());
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
  await navigation.getByRole('link', { name: 'Servers' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.goBack();
  await page.unroute(files);
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
});

it('shows the failure of a gateway that stopped, and recovers when it is back', async () => {
  const { page } = await open('catalog?query=note', { mayReport: true });
  await page.getByText('x_notes_create_note').first().waitFor();
  await portal.stopGateway();
  await page.getByRole('alert').getByText('Pages show what was read before.').waitFor();
  await page.reload();
  await page.getByRole('alert').first().waitFor();
  await portal.startGatewayAgain();
  await page.getByText('x_notes_create_note').first().waitFor({ timeout: 60_000 });
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
});
