import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage, type RpcId } from './json-rpc.ts';
import { refusalError, refusalStatus, type Refusal } from './refusal.ts';

/** Bytes of an unread body that are still taken after a refusal, so that the sender can read the answer. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const MAX_DISCARD_MS = 5_000;
const RETRY_AFTER_SECONDS = '1';

/**
 * Writes a whole JSON answer.
 *
 * @param headers further headers beside type and length
 */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
};

/** Answers without a body: an accepted notification or an ended session. */
export const answerEmpty = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0 });
  response.end();
};

/** Answers a refusal and takes what is left of the request's body within bounds. */
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
  answerJson(response, status, errorMessage(id, refusalError(refusal)), {
    ...(refusal.code === 'method-not-allowed' && { allow: refusal.allow }),
    ...(status === 503 && { 'retry-after': RETRY_AFTER_SECONDS }),
    ...(refusal.code === 'draining' && { connection: 'close' }),
  });
  if (!request.complete) discardBody(request);
};

const discardBody = (request: IncomingMessage): void => {
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
