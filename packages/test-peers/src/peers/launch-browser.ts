import type { Browser } from 'playwright-core';

const START_TIMEOUT_MS = 120_000;

/** Starts Chromium without a display. The caller closes it. @throws {PeerMissing} when this machine has none */
export const launchBrowser = async (): Promise<Browser> => {
  // The libraries are large: only browser tests load them.
  const [{ chromium }, { browserProgram }] = await Promise.all([
    import('playwright-core'),
    import('./browser-program.ts'),
  ]);
  return chromium.launch({
    executablePath: await browserProgram(),
    // Containers have no user namespaces for the sandbox, and little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    headless: true,
    // Other programs of a test start at the same time.
    timeout: START_TIMEOUT_MS,
  });
};
