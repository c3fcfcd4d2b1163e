import { createGuardedFetch, type GuardedFetch } from '@gateway/guarded-fetch';

/** Far more than a response with a token has. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 30_000;

/** Returns the `fetch` for token endpoints. The operator writes their URLs, so that they may have private addresses. */
export const createExchangeFetch = (): GuardedFetch =>
  createGuardedFetch({ allowPrivate: true, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
