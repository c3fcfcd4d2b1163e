import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request over REST with its answer to come. */
export interface RestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Names the request in the log and in the answer. */
  readonly id: string;
  /** Whether the connection is to end with the answer. */
  readonly isLast: () => boolean;
}

/** An answer as a whole. */
export interface WholeAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What holds for every answer: nobody keeps it, and nobody takes it for something else than it says. */
const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers at once, if there is still somebody to answer. */
export function answer(
  { request, response, id, isLast }: RestExchange,
  { status, type, body, headers = {} }: WholeAnswer,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...ALWAYS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    ...(isLast() && { connection: 'close' }),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Answers with JSON. */
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
