import type { FetchLike } from '@modelcontextprotocol/client';
import { request } from 'undici';
import type { Dispatcher } from 'undici';

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

const headersOf = (init: RequestInit): Readonly<Record<string, string>> => {
  const headers = new Headers(init.headers);
  // The body is not decoded here.
  headers.set('accept-encoding', 'identity');
  return Object.fromEntries(headers);
};

/**
 * Returns the stream of a body. `Readable.toWeb` raises an uncaught exception when a chunk arrives after the stream is cancelled; this
 * stream ignores the chunk.
 */
const streamOf = (body: Dispatcher.ResponseData['body']): ReadableStream<Uint8Array> => {
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

const responseOf = async ({
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
  return new Response(streamOf(body), { status, headers });
};

/**
 * Returns a `fetch` over the connections of a dispatcher. It connects to every port, while the `fetch` of the platform refuses the ports
 * that browsers block, for example 6666 and 10080. It follows no redirects and sends bodies of text only.
 */
export const requestFetch =
  (dispatcher: Dispatcher): FetchLike =>
  async (url, init = {}) => {
    const { method = 'GET', body, signal } = init;
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new TypeError('the body is not a text');
    const answer = await request(url, {
      dispatcher,
      method,
      headers: headersOf(init),
      body: body ?? null,
      ...(signal ? { signal } : {}),
    });
    return responseOf(answer);
  };
