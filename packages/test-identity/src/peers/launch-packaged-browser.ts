import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/** Fonts are those of the package alone: other machines have other ones. */
const onlyFontsOf = (directory: string, cache: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${directory}</dir><cachedir>${cache}</cachedir></fontconfig>`;

/** Starts the Chromium of the npm package with its fonts, so that pictures of pages are alike on all machines. The caller closes it. @throws {PeerMissing} on machines that the package does not support */
export const launchPackagedBrowser = async (): Promise<Browser> => {
  const [{ chromium }, { packagedBrowser }] = await Promise.all([
    import('playwright-core'),
    import('./browser-program.ts'),
  ]);
  const program = await packagedBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'packaged-fonts-'));
  await mkdir(join(folder, 'cache'));
  // The package unpacks its fonts next to its program.
  await writeFile(
    join(folder, 'fonts.conf'),
    onlyFontsOf(join(tmpdir(), 'fonts'), join(folder, 'cache')),
  );
  return chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--disable-lcd-text',
    ],
    env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
    headless: true,
  });
};
