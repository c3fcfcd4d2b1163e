import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  listAccessibilityProblems,
  launchBrowser,
  launchPackagedBrowser,
  findPictureProblem,
} from '@gateway/test-peers';
import react from '@vitejs/plugin-react';
import { build, preview, type InlineConfig, type PreviewServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../gallery');

let folder: string;
let server: PreviewServer;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gallery-'));
  const settings: InlineConfig = {
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    resolve: { conditions: ['@gateway/source', 'browser', 'module', 'import', 'default'] },
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: Infinity },
  };
  await build(settings);
  server = await preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await Promise.all([browser.close(), server.close()]);
  await rm(folder, { recursive: true });
});

const PICTURES = resolve(import.meta.dirname, '../pictures');
/** Share of the pixels of a picture that may differ. */
const MAX_SHARE = 0.01;

const open = async (colorScheme: 'light' | 'dark', width: number, from = browser) => {
  const context = await from.newContext({
    ...{ colorScheme, reducedMotion: 'reduce' },
    viewport: { width, height: 900 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await page.locator('[data-state="servers"]').waitFor();
  return { page, problems };
};

describe.each(['light', 'dark'] as const)('the states of the components in %s', (colorScheme) => {
  it.each([360, 1200])('meet WCAG 2.2 AA and fit into %i pixels', async (width) => {
    const { page, problems } = await open(colorScheme, width);
    expect(await listAccessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(problems).toEqual([]);
  });
});

it.each(['light', 'dark'] as const)('the states look as they did before in %s', async (scheme) => {
  const packaged = await launchPackagedBrowser();
  onTestFinished(() => packaged.close());
  const { page } = await open(scheme, 800, packaged);
  const problems: (string | undefined)[] = [];
  for (const section of await page.locator('section[data-state]').all()) {
    const name = (await section.getAttribute('data-state')) ?? '';
    const file = join(PICTURES, `${name.replaceAll(/[^a-z0-9]+/g, '-')}-${scheme}.png`);
    const picture = await section.screenshot({ animations: 'disabled' });
    problems.push(await findPictureProblem(picture, { file, maxShare: MAX_SHARE }));
  }
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});
