import type { JsonObject } from '@gateway/call-contract';

/** A resource that a session follows, and the headers that decided whether it may. */
export interface FollowedResource {
  readonly uri: string;
  /** Lines of headers by name. */
  readonly scope: JsonObject;
}

/** The stored state of a session. */
export interface SessionRecord {
  readonly isEnded: boolean;
  /** True when a process has marked the session as used, and the mark has not expired. */
  readonly isUsed: boolean;
  /** Since when the store has kept marks, in milliseconds since 1970: it may have lost its data before. */
  readonly marksSince: number;
  readonly logLevel: string | undefined;
  readonly followed: readonly FollowedResource[];
}

/**
 * The state of sessions that their ids do not carry, in a store that processes share. Every method may reject: the endpoint then serves a
 * session by its id alone. Lifetimes are in milliseconds.
 */
export interface SessionRecords {
  read(id: string): Promise<SessionRecord>;
  markUsed(id: string, ttlMs: number): Promise<void>;
  markEnded(id: string, ttlMs: number): Promise<void>;
  setLogLevel(id: string, level: string, ttlMs: number): Promise<void>;
  follow(id: string, resource: FollowedResource, ttlMs: number): Promise<void>;
  unfollow(id: string, uri: string): Promise<void>;
}
