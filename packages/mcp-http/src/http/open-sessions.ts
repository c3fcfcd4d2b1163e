import { randomBytes } from 'node:crypto';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { SharedSessions } from '../sessions/shared-sessions.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';

/** The sessions of an endpoint. */
export interface OpenedSessions {
  readonly sessions: SessionStore;
  /** The same sessions in a store that other processes use too. */
  readonly shared?: SharedSessions;
  /** Secret that signs the ids. */
  readonly key: Uint8Array;
}

/** Opens the sessions of an endpoint. */
export const openSessions = (
  {
    sessionKey: key = randomBytes(32),
    previousSessionKey: previousKey,
    sessionRecords: records,
  }: McpHttpOptions,
  limits: McpHttpLimits,
): OpenedSessions => {
  const keys = { key, ...(previousKey !== undefined && { previousKey }) };
  const sessions = new SessionStore(limits, () => performance.now(), keys);
  if (records === undefined) return { sessions, key };
  return { sessions, key, shared: new SharedSessions({ records, sessions, limits }) };
};
