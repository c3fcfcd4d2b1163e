import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header in which pages of the portal repeat the token of their session. */
export const REQUEST_TOKEN_HEADER = 'x-portal-token';

/** Issues and checks the tokens that pages of other sites cannot know. */
export interface RequestTokens {
  /** Returns the token of a session. */
  readonly tokenOf: (sessionId: string) => string;
  /** Returns whether a value is the token of a session, in constant time. */
  readonly isToken: (value: unknown, sessionId: string) => boolean;
}

/** Creates the tokens of all replicas that share the key. */
export const createRequestTokens = (key: Uint8Array): RequestTokens => {
  const tokenOf = (sessionId: string): string =>
    createHmac('sha256', key).update(`request-token:${sessionId}`).digest('base64url');
  return {
    tokenOf,
    isToken: (value, sessionId) => {
      if (typeof value !== 'string') return false;
      const [given, expected] = [Buffer.from(value), Buffer.from(tokenOf(sessionId))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
