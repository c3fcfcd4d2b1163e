import type { Result } from '@gateway/agent-manager-client';
import { LRUCache } from 'lru-cache';

/** Returns the body of a response as text; undefined when it exceeds the maximum size. */
const readBounded = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The reason why a request to a Git host failed. */
export type HostFailure =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'limited' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'late' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'unreadable' };

/** The needed part of the response of a Git host. */
export type HostAnswer<T> = Result<T, HostFailure>;

/** A request: its URL, the maximum size of the response in bytes, and the needed part of it. */
interface HostQuestion<T> {
  readonly url: string;
  readonly maxBytes: number;
  /** Returns undefined when the response is not the requested resource. */
  readonly read: (json: unknown) => T | undefined;
  readonly signal: AbortSignal;
}

/** The REST API of Git hosts. */
export interface GitHost {
  /** Sends a request, or revalidates the cached response. Never rejects. */
  readonly ask: <T>(question: HostQuestion<T>) => Promise<HostAnswer<T>>;
}

/** The maximum number of cached responses with their entity tags. */
const MAX_CACHED_RESPONSES = 512;

interface CachedResponse {
  readonly etag: string;
  readonly value: unknown;
}

const createFailure = (error: HostFailure): Result<never, HostFailure> => ({ ok: false, error });

const isLimited = ({ status, headers }: Response): boolean =>
  status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0');

const toFailure = (response: Response): HostFailure => {
  if (isLimited(response)) return { kind: 'limited' };
  return response.status >= 300 && response.status < 400
    ? { kind: 'moved' }
    : { kind: 'status', status: response.status };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const createHeaders = (
  token: string | undefined,
  etag: string | undefined,
): Record<string, string> => ({
  accept: 'application/json',
  'user-agent': 'agent-manager',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(etag !== undefined && { 'if-none-match': etag }),
});

/** Sends requests with a token to Git hosts only: redirects are not followed, and failures have no text of the response. */
export const createGitHost = (fetchIt: typeof fetch, token: string | undefined): GitHost => {
  const cache = new LRUCache<string, CachedResponse>({ max: MAX_CACHED_RESPONSES });
  const ask = async <T>(question: HostQuestion<T>): Promise<HostAnswer<T>> => {
    const { url, maxBytes, read, signal } = question;
    const known = cache.get(url);
    const headers = createHeaders(token, known?.etag);
    const response = await fetchIt(url, { headers, signal, redirect: 'manual' });
    if (response.status === 304 && known !== undefined) {
      await response.body?.cancel();
      return { ok: true, value: known.value as T };
    }
    if (!response.ok) {
      await response.body?.cancel();
      return createFailure(toFailure(response));
    }
    const text = await readBounded(response, maxBytes);
    if (text === undefined) return createFailure({ kind: 'tooLarge' });
    const value = read(parseJson(text));
    if (value === undefined) return createFailure({ kind: 'unreadable' });
    const etag = response.headers.get('etag');
    if (etag !== null) cache.set(url, { etag, value });
    return { ok: true, value };
  };
  return {
    ask: (question) =>
      ask(question).catch(() =>
        createFailure({ kind: question.signal.aborted ? 'late' : 'unreachable' }),
      ),
  };
};
