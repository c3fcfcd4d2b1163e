import { authStrategyOf, type McpServer } from '@gateway/crd-schemas';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { BackoffPolicy } from '../wire/limits.ts';
import type { ConnectionRow, OwnerKind } from './connection-table.ts';
import { type MachineAction, type MachineEvent, type OpeningMode, transition } from './machine.ts';

export const DEFAULT_USERS = {
  /** A connection that was not used for this long is closed; its lists stay. */
  idleMs: 600_000,
  /** Maximum number of open connections. The least recently used idle connection is closed for another. */
  maxConnections: 1_000,
  /** Maximum number of remembered users. The user whose last request is oldest is forgotten. */
  maxUsers: 20_000,
  /** Maximum number of connections that are being opened; the others wait. */
  maxOpening: 64,
  /** Maximum time for which the first request of a user waits for the user's servers. */
  prepareMs: 15_000,
  /** From a failed attempt to the next that no call asks for; doubled per failure. */
  retryMs: 5_000,
  /** The same after a refused credential, which time alone seldom corrects. */
  refusedRetryMs: 300_000,
  /** Maximum time for which a request waits for an attempt that follows a failed one. */
  retryWaitMs: 1_000,
  maxRetryMs: 1_800_000,
  /** From a failed attempt to the next for a call. */
  callRetryMs: 1_000,
};

/** Bounds of the connections of users. Times are in milliseconds. */
export type UserPolicy = Readonly<typeof DEFAULT_USERS>;

export const DEFAULT_SESSIONS = {
  /** A connection without a call for this long is ended. */
  idleMs: 600_000,
  /** Maximum number of connections to one server. The least recently used idle connection is ended for another. */
  maxPerServer: 32,
  /** Maximum number of connections to all servers. */
  maxConnections: 128,
  /** Maximum number of connections to one server for one user, or for one network of callers who have not signed in. */
  maxPerServerAndUser: 16,
  /** Maximum number of connections to all servers for one user. */
  maxPerUser: 64,
  /** From a failed attempt to the next for a call. */
  callRetryMs: 1_000,
};

/** Bounds of the connections of client sessions, with `instances: perSession`. Times are in milliseconds. */
export type SessionPolicy = Readonly<typeof DEFAULT_SESSIONS>;

/** A limit of the open connections of one kind of owner. It counts the connections of the same group. */
export interface ConnectionBound {
  readonly max: number;
  readonly reason: string;
  /** Returns the group of a connection; `undefined` when the bound does not limit it. */
  readonly group: (row: Pick<ConnectionRow, 'server' | 'owner'>) => string | undefined;
}

export interface OwnerPolicy {
  readonly opens: OpeningMode;
  readonly idleMs: number;
  readonly bounds: readonly ConnectionBound[];
  /** Connections that are ending count for the bounds, because each is a process. */
  readonly countsEnding: boolean;
  /** The lists of the connection are read and stay known after its end; otherwise those of the shared connection count. */
  readonly hasLists: boolean;
  /** Attempts to connect to remote servers wait for a slot, and users take turns. */
  readonly takesTurns: boolean;
  /** From a failed attempt to the next that no request asks for. */
  readonly backoff: BackoffPolicy;
  readonly refusedBackoff: BackoffPolicy;
  /** From a failed attempt to the next for a request, in milliseconds. */
  readonly callRetryMs: number;
}

/** Passes an event to the state machine of a row. Returns the actions to perform. */
export const applyEvent = (
  row: ConnectionRow,
  event: MachineEvent,
  { opens, backoff, refusedBackoff }: OwnerPolicy,
  random: number,
): readonly MachineAction[] => {
  const { state, actions } = transition(row.state, event, {
    random,
    backoff: event.kind === 'unauthorized' ? refusedBackoff : backoff,
    opens,
  });
  row.state = state;
  return actions;
};

const USERS_FULL = 'too many connections of users are in use';
const SERVER_FULL =
  'as many clients as possible have an instance of the server, and each of them has a call in progress';
const USER_FULL =
  'this user has as many instances as possible, and each of them has a call in progress';

export const createOwnerPolicies = (
  users: UserPolicy,
  sessions: SessionPolicy,
  backoff: BackoffPolicy,
): Readonly<Record<OwnerKind, OwnerPolicy>> => {
  const { maxPerServerAndUser, maxPerUser, maxPerServer, maxConnections } = sessions;
  return {
    shared: {
      opens: 'by-itself',
      idleMs: Infinity,
      bounds: [],
      countsEnding: true,
      hasLists: true,
      takesTurns: false,
      backoff,
      refusedBackoff: backoff,
      callRetryMs: 0,
    },
    user: {
      opens: 'on-request',
      idleMs: users.idleMs,
      bounds: [{ max: users.maxConnections, reason: USERS_FULL, group: () => '' }],
      countsEnding: false,
      hasLists: true,
      takesTurns: true,
      backoff: { ...backoff, firstMs: users.retryMs, maxMs: users.maxRetryMs },
      refusedBackoff: { ...backoff, firstMs: users.refusedRetryMs, maxMs: users.maxRetryMs },
      callRetryMs: users.callRetryMs,
    },
    session: {
      opens: 'on-request',
      idleMs: sessions.idleMs,
      bounds: [
        {
          max: maxPerServerAndUser,
          reason: USER_FULL,
          group: ({ server, owner: { limitedAs } }) =>
            limitedAs === undefined ? undefined : JSON.stringify([server, limitedAs]),
        },
        { max: maxPerUser, reason: USER_FULL, group: ({ owner }) => owner.limitedAs },
        { max: maxPerServer, reason: SERVER_FULL, group: ({ server }) => server },
        { max: maxConnections, reason: SERVER_FULL, group: () => '' },
      ],
      countsEnding: true,
      hasLists: false,
      takesTurns: true,
      backoff,
      refusedBackoff: backoff,
      callRetryMs: sessions.callRetryMs,
    },
  };
};

/** Returns whether requests to the server need the token of a user. @spec §2.6 auth */
const needsSignIn = ({ spec }: McpServer): boolean =>
  spec.type !== 'stdio' && authStrategyOf(spec.auth).kind !== 'none';

/**
 * Returns the kind of the event of a failure. A refusal of the credentials in the definition of a shared connection may pass; one that a
 * user must resolve does not.
 */
export const findFailureKind = (
  { served }: ConnectionRow,
  { code }: ConnectionFailure,
): 'failed' | 'unauthorized' | 'sign-in-required' => {
  if (served === undefined || code !== 'auth-required') return 'failed';
  return needsSignIn(served.definition) ? 'sign-in-required' : 'unauthorized';
};
