import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns the URL. Throws unless it is https, or http on a loopback address. */
export const requireSecure = (url: URL): URL => {
  const isSecure =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (isSecure) return url;
  throw new CommandFailure('refused', `sign-in requires https, and ${url.origin} is not`);
};

const readBounded = async (response: Response, url: URL): Promise<Buffer<ArrayBuffer> | null> => {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new CommandFailure('failed', `${url.origin} sent more than 1 MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a request within 15 seconds, follows no redirect, and reads at most 1 MiB. */
export const signInFetch = async (
  input: string | URL,
  init: RequestInit = {},
): Promise<Response> => {
  const url = requireSecure(new URL(input));
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const body = await readBounded(response, url);
  const { status, headers } = response;
  return new Response(BODILESS.has(status) ? null : body, { status, headers });
};

/** The options of all requests to an authorization server. `signInFetch` decides which are secure. */
export const REQUEST_OPTIONS = {
  [customFetch]: signInFetch,
  [allowInsecureRequests]: true,
} as const;
