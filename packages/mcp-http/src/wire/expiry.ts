import type { HttpExchange } from './http-exchange.ts';

/** Longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Closes the connection of a stream when the credentials of its request expire, so that the client continues with new ones. A stream
 * that can be resumed is resumed by them.
 */
export const endWhenExpired = ({
  expiresAt,
  response,
}: Pick<HttpExchange, 'expiresAt' | 'response'>): void => {
  if (expiresAt === undefined) return;
  const delayMs = Math.min(Math.max(0, expiresAt - Date.now()), MAX_DELAY_MS);
  const timer = setTimeout(() => response.destroy(), delayMs);
  timer.unref();
  response.once('close', () => {
    clearTimeout(timer);
  });
};
