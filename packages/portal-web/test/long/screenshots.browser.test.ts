import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { launchBrowser } from '@gateway/test-identity';
import { expect, it, onTestFinished } from 'vitest';
import { untilLoaded } from '../harness/layout.ts';
import { startPortal } from '../harness/portal.ts';
import { openReader } from '../harness/reader.ts';

const IMAGES = resolve(import.meta.dirname, '../../../../docs/images/portal');
const LARGEST_BYTES = 150_000;

/** Writes the images of the documentation when the environment variable `UPDATE_SCREENSHOTS` is set. */
const save = async (name: string, image: Buffer): Promise<void> => {
  if (process.env['UPDATE_SCREENSHOTS'] === undefined) return;
  await mkdir(IMAGES, { recursive: true });
  await writeFile(join(IMAGES, name), image);
};

it.each(['light', 'dark'] as const)('takes a picture of every page in %s', async (colorScheme) => {
  const [portal, browser] = await Promise.all([startPortal(), launchBrowser()]);
  onTestFinished(async () => {
    await Promise.all([portal.close(), browser.close()]);
  });
  const { page } = await openReader(browser, { colorScheme, width: 1000, height: 640 });
  await page.goto(portal.url);
  await untilLoaded(page);
  const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  for (const path of paths) {
    await page.goto(new URL(path ?? '', portal.url).href);
    await untilLoaded(page);
    const image = await page.screenshot();
    expect(image.byteLength).toBeLessThan(LARGEST_BYTES);
    await save(`${basename(path ?? '')}-${colorScheme}.png`, image);
  }
});
