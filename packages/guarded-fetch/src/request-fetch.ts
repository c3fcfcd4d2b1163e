import type { Dispatcher } from 'undici';

/** The part of `fetch` that is implemented. */
export type FetchFunction = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

const messageOf = ({ headers: given, body = null }: RequestInit): Message => {
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
 * that browsers block, for example 6666 and 10080. It follows no redirects and sends bodies that are texts or forms.
 */
export const requestFetch =
  (dispatcher: Dispatcher): FetchFunction =>
  async (url, init = {}) => {
    const { method = 'GET', signal } = init;
    const { headers, body } = messageOf(init);
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers,
      body,
      ...(signal ? { signal } : {}),
    });
    return responseOf(answer);
  };
