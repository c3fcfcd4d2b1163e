import type { launchBrowser } from '@gateway/test-peers';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Context = Awaited<ReturnType<Browser['newContext']>>;
type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** A user with a browser without cookies. */
export interface Reader {
  readonly page: Page;
  readonly context: Context;
  /** Errors and warnings of the console, errors of scripts, and violations of the Content-Security-Policy, in all pages of the reader. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** The appearance of a page, and the size of its window in pixels. */
export interface ReaderOptions extends Pick<
  ContextOptions,
  'colorScheme' | 'locale' | 'timezoneId' | 'ignoreHTTPSErrors'
> {
  readonly width?: number;
  readonly height?: number;
}

/** A loaded machine needs long for the steps of a test. */
const TIMEOUT_MS = 60_000;

const collectProblems = (context: Context, problems: string[]): void => {
  context.on('console', (message) => {
    // Chromium also reports violations of the policy here.
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  context.on('weberror', (fault) => problems.push(fault.error().message));
};

/** Opens an empty page for a user of its own. The caller closes it. */
export const openReader = async (
  browser: Browser,
  { width = 1200, height = 800, ...options }: ReaderOptions = {},
): Promise<Reader> => {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    ...options,
    viewport: { width, height },
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const problems: string[] = [];
  collectProblems(context, problems);
  const page = await context.newPage();
  return { page, context, problems, close: () => context.close() };
};
