import type { IncomingMessage } from 'node:http';
import { discardBody } from '../wire/answer.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import { refusalError, refusalStatus } from '../protocol/refusal.ts';
import { BodyReader } from './request-body.ts';

/** The result of reading the body of a request to a further route. */
export type RouteBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /**
   * Larger than one body or all bodies together may be. The rest is discarded within bounds, so that the sender can read the
   * answer.
   */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** The caller disconnected before the body was complete: there is no recipient for an answer. */
  | { readonly kind: 'gone' };

/** Reads whole bodies of requests to further routes of a server, under the bounds that the endpoint has for its own. Never rejects. */
export const createBodyReader = (
  limits: Partial<Pick<McpHttpLimits, 'maxBodyBytes' | 'maxBufferedBodyBytes'>> = {},
): ((request: IncomingMessage) => Promise<RouteBody>) => {
  const reader = new BodyReader({ ...DEFAULT_MCP_HTTP_LIMITS, ...limits });
  return (request) =>
    new Promise((resolve) => {
      reader.readBytes(request, (read) => {
        if (read.kind !== 'refused') {
          resolve(read);
          return;
        }
        discardBody(request);
        const { refusal } = read;
        const { message } = refusalError(refusal);
        resolve({ kind: 'refused', status: refusalStatus(refusal), message });
      });
    });
};
