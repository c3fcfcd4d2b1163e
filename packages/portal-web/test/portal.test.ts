import { expect, it } from 'vitest';
import { countBytes } from './harness/first-load.ts';
import { portalSuite } from './harness/portal-suite.ts';
import { startPortal } from './harness/portal.ts';

const { portal, open, openEmpty } = portalSuite(() => startPortal({ prefix: '/tools/' }));

it('lists tools below a path prefix, without any error or violation of the policy', async () => {
  const { page } = await open('catalog?query=note');
  await page.getByText('x_notes_create_note').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/tools/catalog');
});

it('shows agents with what they can use', async () => {
  const { page } = await open('agents');
  await page.getByText('preset:notes').first().waitFor();
  await page.getByText('Full gateway access').first().waitFor();
});

it('shows markup of others as text', async () => {
  const { page } = await open('catalog?query=markup');
  await page.getByText('<img src=x onerror').first().waitFor();
  expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
});

const FIRST_LOAD_BYTES = 250_000;

it('loads its first page in less than 250 KB', async () => {
  const { page } = await openEmpty();
  const bytes = countBytes(page);
  await page.goto(portal.url);
  await page.getByRole('link', { name: 'Servers that work' }).waitFor();
  expect(await bytes()).toBeLessThan(FIRST_LOAD_BYTES);
});
