import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request over REST with its answer to come. */
export interface RestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Request id, for the log and the answer. */
  readonly id: string;
  /** Returns whether the connection closes after the answer. */
  readonly isLast: () => boolean;
}

/** A complete answer. */
export interface WholeAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of every answer: it is not cached, and its content type is not guessed. */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Sends an answer unless one was sent or the connection is closed. */
export function answer(
  { request, response, id, isLast }: RestExchange,
  { status, type, body, headers = {} }: WholeAnswer,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...COMMON_HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    ...(isLast() && { connection: 'close' }),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends a JSON answer. */
export const answerJson = (
  exchange: RestExchange,
  status: number,
  body: string | Uint8Array,
  headers?: WholeAnswer['headers'],
): void => {
  answer(exchange, {
    status,
    type: 'application/json',
    body,
    ...(headers !== undefined && { headers }),
  });
};
