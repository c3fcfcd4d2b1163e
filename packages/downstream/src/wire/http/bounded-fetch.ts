import { requestFetch } from '@gateway/guarded-fetch';
import type { FetchLike } from '@modelcontextprotocol/client';
import { ResponseTooLargeError } from '../response-too-large.ts';
import type { Agent } from 'undici';

/** Receives the outcome of HTTP requests. */
export interface FetchObserver {
  /** The server answered a request with this status. */
  readonly onStatus: (status: number) => void;
  /** The request failed without an answer: refused, reset, unknown host, TLS. Aborts by this side are not reported. */
  readonly onNetworkError: (error: unknown) => void;
}

/** A `fetch` with its own connections. */
export interface BoundedFetch {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

/** Returns the end of the last event in `chunk`: a blank line with any line ending; -1 without one. */
const lastEventEnd = (chunk: Uint8Array): number => {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(
    bytes.lastIndexOf('\n\n'),
    bytes.lastIndexOf('\r\r'),
    bytes.lastIndexOf('\r\n\r\n'),
  );
};

/** A part of an event stream that is parsed in one turn of the event loop. */
const SLICE_BYTES = 16 * 1024;

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Forwards bytes and fails when they exceed `maxBytes`, in an event stream per event. */
const boundedBody = (
  maxBytes: number,
  eventStream: boolean,
): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        controller.error(new ResponseTooLargeError(maxBytes));
        return;
      }
      if (eventStream) {
        const end = lastEventEnd(chunk);
        if (end !== -1) bytes = chunk.byteLength - end;
      }
      if (!eventStream) {
        controller.enqueue(chunk);
        return;
      }
      for (let from = 0; from < chunk.byteLength; from += SLICE_BYTES) {
        controller.enqueue(chunk.subarray(from, from + SLICE_BYTES));
        // The parser of the SDK reads all that is queued in one turn.
        if (chunk.byteLength > SLICE_BYTES) await nextTurn();
      }
    },
  });
};

const bounded = (response: Response, maxBytes: number): Response => {
  if (response.body === null) return response;
  const type = response.headers.get('content-type') ?? '';
  const body = response.body.pipeThrough(
    boundedBody(maxBytes, type.startsWith('text/event-stream')),
  );
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};

const openAgent = async (connectTimeoutMs: number): Promise<Agent> => {
  // Few servers use the transport with it.
  const undici = await import('undici');
  return new undici.Agent({
    // The deadline is set per request; an idle event stream may be silent for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs, noDelay: true },
  });
};

/**
 * Returns a `fetch` with its own connections that bounds every answer and reports its outcome. It follows no redirects; the transport of the
 * SDK follows those within the origin.
 *
 * @param options connectTimeoutMs bounds the TCP and TLS handshake
 */
export const createBoundedFetch = (
  options: { readonly maxBytes: number; readonly connectTimeoutMs: number },
  observer: FetchObserver,
): BoundedFetch => {
  let agent: Promise<Agent> | undefined;
  const fetch: FetchLike = async (url, init) => {
    try {
      agent ??= openAgent(options.connectTimeoutMs);
      const response = await requestFetch(await agent)(url, init);
      observer.onStatus(response.status);
      return bounded(response, options.maxBytes);
    } catch (error) {
      if (init?.signal?.aborted !== true) observer.onNetworkError(error);
      throw error;
    }
  };
  return { fetch, close: async () => (await agent)?.destroy() };
};
