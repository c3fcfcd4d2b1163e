import type { Dispatcher } from 'undici';
import { Guard, GuardedFetchError, parseTargetUrl } from './guard.ts';
import { loadDispatchers } from './open-dispatcher.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

/** The part of `fetch` that is implemented. */
type FetchFunction = (url: string | URL, init?: RequestInit) => Promise<Response>;

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

const toMessage = ({ headers: given, body = null }: RequestInit): Message => {
  const headers = new Headers(given);
  // The body is not decoded here.
  headers.set('accept-encoding', 'identity');
  const isForm = body instanceof URLSearchParams;
  if (isForm && !headers.has('content-type')) headers.set('content-type', FORM);
  if (body !== null && !isForm && typeof body !== 'string')
    throw new TypeError('the body is neither a text nor a form');
  return { headers: Object.fromEntries(headers), body: isForm ? body.toString() : body };
};

/**
 * Returns the stream of a body. `Readable.toWeb` raises an uncaught exception when a chunk arrives after the stream is cancelled; this
 * stream ignores the chunk.
 */
const toStream = (body: Dispatcher.ResponseData['body']): ReadableStream<Uint8Array> => {
  // Destroying a body without a reader emits an error.
  body.on('error', () => undefined);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      body.destroy();
    },
  });
};

const toResponse = async ({
  statusCode: status,
  headers: received,
  body,
}: Dispatcher.ResponseData): Promise<Response> => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  if (WITHOUT_BODY.has(status)) {
    await body.dump();
    return new Response(null, { status, headers });
  }
  return new Response(toStream(body), { status, headers });
};

/**
 * Returns a `fetch` over the connections of a dispatcher. It connects to every port, while the `fetch` of the platform refuses the ports
 * that browsers block, for example 6666 and 10080. It follows no redirects and sends bodies that are texts or forms.
 */
const requestFetch =
  (dispatcher: Dispatcher): FetchFunction =>
  async (url, init = {}) => {
    const { method = 'GET', signal } = init;
    const { headers, body } = toMessage(init);
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers,
      body,
      ...(signal ? { signal } : {}),
    });
    return toResponse(answer);
  };

export interface GuardedFetchOptions {
  /** Allows loopback, private, unique local and carrier-grade NAT addresses, for all URLs or for some. */
  readonly allowPrivate: boolean | ((url: URL) => boolean);
  /** Allows http to the private addresses that `allowPrivate` allows, for these URLs; without it, http is for loopback addresses. */
  readonly allowPlain?: (url: URL) => boolean;
  readonly maxBytes: number;
  /** Maximum duration of a request, from the resolution of the host to the end of the body, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns responses without bodies, as soon as their headers arrive. */
  readonly headersOnly?: boolean;
  /** Resolves a host; by default with the resolver of the system. */
  readonly resolve?: ResolveHost;
}

/** A `fetch` that checks where it connects to. It rejects with `GuardedFetchError`. */
export type GuardedFetch = FetchFunction;

const findCode = (error: unknown): string | undefined => {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
};

const createUnreachableError = (error: unknown): GuardedFetchError => {
  const code = findCode(error);
  const why = code === undefined ? 'the connection failed' : `the connection failed (${code})`;
  return new GuardedFetchError('unreachable', why);
};

interface Bounds {
  readonly options: GuardedFetchOptions;
  readonly signal: AbortSignal;
}

const createGuard = (text: string, { options, signal }: Bounds): Guard => {
  const { allowPrivate, allowPlain, resolve = resolveHost } = options;
  const url = parseTargetUrl(text);
  return new Guard(url, {
    allowPrivate: typeof allowPrivate === 'function' ? allowPrivate(url) : allowPrivate,
    plain: allowPlain?.(url) === true ? 'own-network' : 'loopback',
    resolve,
    signal,
  });
};

/** Reads a whole body, so that a failure in it rejects the request. */
const readBody = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) return Buffer.concat(chunks);
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      throw new GuardedFetchError('too-large', `the response is larger than ${maxBytes} bytes`);
    }
    chunks.push(next.value);
  }
};

const isRedirect = ({ status, headers }: Response): boolean =>
  status >= 300 && status < 400 && headers.has('location');

const exchange = async (
  guard: Guard,
  init: RequestInit,
  { options, signal }: Bounds,
): Promise<Response> => {
  const { timeoutMs: ms } = options;
  const open = await loadDispatchers();
  const dispatcher = open({
    connectTimeoutMs: ms,
    quietMs: ms,
    lookup: guard.lookup,
    // A proxy would send the request to an address that is not checked.
    isDirect: guard.url.protocol === 'http:',
  });
  try {
    const response = await requestFetch(dispatcher)(guard.url, { ...init, signal });
    if (isRedirect(response))
      throw new GuardedFetchError('redirect', 'the response is a redirect, which is not followed');
    const { status, headers } = response;
    if (options.headersOnly === true) {
      await response.body?.cancel();
      return new Response(null, { status, headers });
    }
    const body = Buffer.from(await readBody(response, options.maxBytes));
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
  } finally {
    await dispatcher.destroy();
  }
};

/**
 * Returns a `fetch` for URLs that others name. It resolves the host once, checks all addresses, connects to these addresses only, follows
 * no redirects, allows http for loopback addresses and where `allowPlain` says so, and bounds size and time. Behind a proxy for https, which
 * resolves names itself, only addresses in URLs are checked. Bodies of requests are texts or forms.
 */
export const createGuardedFetch =
  (options: GuardedFetchOptions): GuardedFetch =>
  async (input, init = {}) => {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const bounds = { options, signal };
    try {
      return await exchange(createGuard(String(input), bounds), init, bounds);
    } catch (error) {
      if (error instanceof GuardedFetchError) throw error;
      if (init.signal?.aborted === true) throw new GuardedFetchError('aborted', 'it was aborted');
      if (timeout.aborted)
        throw new GuardedFetchError('timeout', `no response within ${options.timeoutMs} ms`);
      throw createUnreachableError(error);
    }
  };
