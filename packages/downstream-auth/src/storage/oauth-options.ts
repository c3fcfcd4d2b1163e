import type { GuardedFetch } from '@gateway/guarded-fetch';
import * as oauth from 'oauth4webapi';

/** Returns the options for requests with a guarded `fetch`, which decides about http itself: for loopback addresses only. */
export const oauthOptions = (fetch: GuardedFetch) => ({
  [oauth.customFetch]: (
    url: string,
    { body, headers, method, signal }: oauth.CustomFetchOptions<'POST', URLSearchParams | string>,
  ): Promise<Response> => fetch(url, { body, headers, method, signal: signal ?? null }),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the name is a warning; the guard is stricter
  [oauth.allowInsecureRequests]: true,
});
