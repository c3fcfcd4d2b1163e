import { pinnedAgent, requestFetch } from '@gateway/guarded-fetch';
import type { CheckedTarget } from '@gateway/guarded-fetch';
import type { FetchLike } from '@modelcontextprotocol/client';
import { ResponseTooLargeError } from '../wire/response-too-large.ts';

/** Bounds of all requests to one target together. */
export interface ProbeLimits {
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
export interface ProbeFetch {
  readonly fetch: FetchLike;
  readonly seen: () => SeenAnswer | undefined;
  close(): Promise<void>;
}

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
export interface ProbeFetchOptions {
  readonly limits: ProbeLimits;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Returns a `fetch` that connects to the checked addresses of one origin only, follows no redirects and reads within the bounds. */
export const createProbeFetch = (
  target: CheckedTarget,
  { limits, timeoutMs, signal }: ProbeFetchOptions,
): ProbeFetch => {
  const agent = pinnedAgent(target, timeoutMs);
  const counted = budgetOf(limits.maxBytes);
  let requests = 0;
  let seen: SeenAnswer | undefined;
  const fetch: FetchLike = async (to, init) => {
    const url = new URL(to);
    if (url.origin !== target.url.origin) throw new Error('the server points to another origin');
    requests += 1;
    if (requests > limits.maxRequests) throw new Error('the server requires too many requests');
    const either = init?.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const response = await requestFetch(await agent)(url, { ...init, signal: either });
    const redirect = redirectOf(response, url);
    seen = { status: response.status, ...(redirect !== undefined && { redirect }) };
    if (redirect !== undefined) {
      await response.body?.cancel();
      throw new Error('a redirect is not followed');
    }
    return counted(response);
  };
  return { fetch, seen: () => seen, close: async () => (await agent).destroy() };
};
