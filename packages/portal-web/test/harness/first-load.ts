import type { Page, Request } from 'playwright-core';

/** Collects the bytes of the files of the web application that a page loads, compressed as they are sent. */
export const countBytes = (page: Page): (() => Promise<number>) => {
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  return async () => {
    const files = requests.filter(
      (request) => request.url().includes('/assets/') || request.isNavigationRequest(),
    );
    const sizes = await Promise.all(files.map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
};
