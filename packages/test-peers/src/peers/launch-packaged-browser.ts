import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';

const require = createRequire(import.meta.url);

const MONOSPACE = ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'];

const preferred = (family: string, font: string): string =>
  `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;

/** Fonts are those of packages alone: other machines have other ones. */
const onlyFontsOf = (directories: readonly string[], cache: string): string =>
  [
    '<?xml version="1.0"?><fontconfig>',
    ...directories.map((directory) => `<dir>${directory}</dir>`),
    `<cachedir>${cache}</cachedir>`,
    preferred('monospace', 'DejaVu Sans Mono'),
    ...['sans-serif', 'serif', 'system-ui'].map((family) => preferred(family, 'Open Sans')),
    '</fontconfig>',
  ].join('');

/** The package of the browser has no font of one width. */
const copyMonospace = async (directory: string): Promise<void> => {
  const fonts = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  await mkdir(directory);
  await Promise.all(MONOSPACE.map((name) => copyFile(join(fonts, name), join(directory, name))));
};

/** Starts the Chromium of the npm package with its fonts, so that pictures of pages are alike on all machines. The caller closes it. @throws {PeerMissing} on machines that the package does not support */
export const launchPackagedBrowser = async (): Promise<Browser> => {
  const [{ chromium }, { packagedBrowser }] = await Promise.all([
    import('playwright-core'),
    import('./browser-program.ts'),
  ]);
  const { program, fonts } = await packagedBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'packaged-fonts-'));
  const [cache, monospace] = [join(folder, 'cache'), join(folder, 'monospace')];
  await Promise.all([mkdir(cache), copyMonospace(monospace)]);
  await writeFile(join(folder, 'fonts.conf'), onlyFontsOf([fonts, monospace], cache));
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
