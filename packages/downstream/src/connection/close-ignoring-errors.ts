import type { ServerLink } from './server-link.ts';

/** Ignores an error of closing: no caller can act on it. */
export const closeIgnoringErrors = (link: ServerLink): Promise<void> =>
  link.close().catch(() => undefined);
