import type { IncomingMessage, ServerResponse } from 'node:http';
import { countBytes, type LongText } from '@gateway/mcp-wire';
import { errorMessage, type RpcId } from '../protocol/json-rpc.ts';
import { refusalError, refusalStatus, type Refusal } from '../protocol/refusal.ts';

/** Bytes of an unread body that are still taken after a refusal, so that the sender can read the answer. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const MAX_DISCARD_MS = 5_000;
const RETRY_AFTER_SECONDS = '1';

/** Characters from which the bytes of a text are counted. */
const LARGE_BODY = 64 * 1024;

/** Returns the bytes of a body, or about the bytes of a small one. */
export const sizeOf = (body: LongText): number =>
  typeof body === 'string' && body.length < LARGE_BODY ? body.length : countBytes(body);

/** The runtime writes a header and the body that ends an answer in one part from Node 24 on, and in two parts before. */
const JOINS_AT_END = Number.parseInt(process.versions.node, 10) >= 24;

/** Ends an answer with its body, in one write. Two parts take 1 µs more, and the other way to join them takes 1 µs more where the end does it. */
const endWith = (response: ServerResponse, body: LongText, encoding: 'latin1' | 'utf8'): void => {
  if (JOINS_AT_END && typeof body === 'string') {
    response.end(body, encoding);
    return;
  }
  response.cork();
  if (typeof body === 'string') response.write(body, encoding);
  else for (const part of body) response.write(part);
  response.uncork();
  response.end();
};

/**
 * Writes a whole JSON answer.
 *
 * @param body a text is written faster than bytes, but the runtime holds it with its bytes until the client has read them
 * @param size the bytes of the body
 */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: LongText,
  size: number = countBytes(body),
): void => {
  // In pairs, which the runtime accepts without conversion.
  response.writeHead(status, ['content-type', 'application/json', 'content-length', String(size)]);
  // A text of ASCII characters is the same in both encodings, and the runtime copies it as `latin1` without another count.
  endWith(response, body, body.length === size ? 'latin1' : 'utf8');
};

/** Closes the connection of a reader that leaves the rest of a finished answer unread for too long. */
export const closeWhenUnread = (response: ServerResponse, timeoutMs: number): void => {
  const timer = setTimeout(() => response.destroy(), timeoutMs);
  timer.unref();
  response.once('close', () => {
    clearTimeout(timer);
  });
};

/** Answers without a body: an accepted notification or an ended session. */
export const answerEmpty = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0 });
  response.end();
};

/** Answers a refusal and discards the rest of the request's body within bounds. */
export const answerRefusal = (
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  refusal: Refusal,
  id: RpcId | null = null,
): void => {
  const { request, response } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = refusalStatus(refusal);
  setRefusalHeaders(response, refusal);
  answerJson(response, status, errorMessage(id, refusalError(refusal)));
  if (!request.complete) discardBody(request);
};

/** Sets the headers that state what a client may do instead. */
const setRefusalHeaders = (response: ServerResponse, refusal: Refusal): void => {
  const status = refusalStatus(refusal);
  if (refusal.code === 'method-not-allowed') response.setHeader('allow', refusal.allow);
  if (status === 503 || status === 429) {
    const seconds =
      refusal.code === 'rate-limited' ? String(refusal.retryAfterSeconds) : RETRY_AFTER_SECONDS;
    response.setHeader('retry-after', seconds);
  }
  if ('challenge' in refusal) response.setHeader('www-authenticate', refusal.challenge);
  if (refusal.code === 'draining') response.setHeader('connection', 'close');
};

/** Discards the rest of a request's body, within bounds, so that its sender can read the answer. */
export const discardBody = (request: IncomingMessage): void => {
  let left = MAX_DISCARDED_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_DISCARD_MS);
  timer.unref();
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    })
    .on('error', () => undefined)
    .once('close', () => {
      clearTimeout(timer);
    });
};
