import type { LookupFunction } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent } from 'undici';
import { requestFetch } from '../wire/http/request-fetch.ts';
import { ResponseTooLargeError } from '../wire/response-too-large.ts';
import type { CheckedTarget } from './checked-target.ts';
import type { HostAddress } from './resolve-host.ts';

/** Bounds of all requests to one target together. */
export interface GuardLimits {
  readonly maxBytes: number;
  readonly maxRequests: number;
}

/** The last answer of the target. */
export interface SeenAnswer {
  readonly status: number;
  /** The target of a redirect. */
  readonly redirect?: URL;
}

/** A `fetch` that connects to its target only. */
export interface GuardedFetch {
  readonly fetch: FetchLike;
  readonly seen: () => SeenAnswer | undefined;
  close(): Promise<void>;
}

/** Resolves every name to the checked addresses. */
const pinned =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('no address'), '', 0);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 4;

const agentFor = ({ addresses }: CheckedTarget, timeoutMs: number): Agent =>
  new Agent({
    connections: MAX_CONNECTIONS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, noDelay: true, lookup: pinned(addresses) },
  });

const redirectOf = (response: Response, url: URL): URL | undefined => {
  const location = response.headers.get('location');
  const points = response.status >= 300 && response.status < 400 && location !== null;
  return points && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

/** Counts the bytes of all answers together. */
const budgetOf = (maxBytes: number): ((response: Response) => Response) => {
  let bytes = 0;
  return (response) => {
    if (response.body === null) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new ResponseTooLargeError(maxBytes));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
};

/** The bounds of a `fetch`, and the signal that aborts all its requests. */
export interface GuardOptions {
  readonly limits: GuardLimits;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Returns a `fetch` that connects to the checked addresses of one origin only, follows no redirects and reads within the bounds. */
export const createGuardedFetch = (
  target: CheckedTarget,
  { limits, timeoutMs, signal }: GuardOptions,
): GuardedFetch => {
  const agent = agentFor(target, timeoutMs);
  const send = requestFetch(agent);
  const counted = budgetOf(limits.maxBytes);
  let requests = 0;
  let seen: SeenAnswer | undefined;
  const fetch: FetchLike = async (to, init) => {
    const url = new URL(to);
    if (url.origin !== target.url.origin) throw new Error('the server points to another origin');
    requests += 1;
    if (requests > limits.maxRequests) throw new Error('the server requires too many requests');
    const either = init?.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const response = await send(url, { ...init, signal: either });
    const redirect = redirectOf(response, url);
    seen = { status: response.status, ...(redirect !== undefined && { redirect }) };
    if (redirect !== undefined) {
      await response.body?.cancel();
      throw new Error('a redirect is not followed');
    }
    return counted(response);
  };
  return { fetch, seen: () => seen, close: () => agent.destroy() };
};
