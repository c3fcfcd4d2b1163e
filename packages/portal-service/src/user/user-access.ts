import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionCookie } from './cookies.ts';
import { computeSessionDigest, type SignedInSession } from './sessions.ts';

/** A session and its user. */
interface IdentifiedSession {
  readonly sessionId: string;
  readonly session: Pick<SignedInSession, 'subject'>;
}

/** Returns the identifier of the user of a session. */
export type UserId = (identified: IdentifiedSession) => string;

/**
 * Creates the identifiers of users for browsers: equal in all sessions of a user and on all replicas that share the key, and
 * meaningless elsewhere. When the provider names no subject, each session is a separate user.
 */
export const createUserId =
  (key: Uint8Array, issuer: string): UserId =>
  ({ session: { subject }, sessionId }) => {
    const identity = subject === '' ? ['session', sessionId] : ['user', issuer, subject];
    return createHmac('sha256', key).update(JSON.stringify(identity)).digest('base64url');
  };

/** The sender of a request: a user with a session, a browser without a session, or anyone when users do not sign in. */
export type UserAccess =
  | { readonly kind: 'open'; readonly sessionId: string }
  | { readonly kind: 'signed-in'; readonly sessionId: string; readonly session: SignedInSession }
  | { readonly kind: 'signed-out' };

/** The session id of all requests where users do not sign in. */
const OPEN_SESSION = 'open';

/** Returns the access of a request. Rejects when the store or the provider does not answer. */
export type ReadAccess = (request: IncomingMessage) => Promise<UserAccess>;

/** The access of portals without sign-in. */
export const openAccess: ReadAccess = () =>
  Promise.resolve({ kind: 'open', sessionId: OPEN_SESSION });

/** Creates the access of portals with sign-in. @param readSession returns the session of an id, where it has not ended */
export const createSignedInAccess =
  (
    cookie: SessionCookie,
    readSession: (id: string) => Promise<SignedInSession | undefined>,
  ): ReadAccess =>
  async (request) => {
    const sessionId = cookie.read(request);
    const session = sessionId === undefined ? undefined : await readSession(sessionId);
    return sessionId === undefined || session === undefined
      ? { kind: 'signed-out' }
      : { kind: 'signed-in', sessionId, session };
  };

/** Returns the token of requests to services; undefined where users do not sign in. */
export const findSessionToken = (access: UserAccess): string | undefined =>
  access.kind === 'signed-in' ? access.session.token : undefined;

/** A request that runs on behalf of a session. */
interface AbortableRequest {
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  /** Lets the request continue without the session. */
  readonly release: () => void;
}

/** The requests of this process that run on behalf of sessions. */
export class RunningRequests {
  readonly #running = new Map<string, Set<AbortController>>();

  add(sessionId: string): AbortableRequest {
    const digest = computeSessionDigest(sessionId);
    const controller = new AbortController();
    const controllers = this.#running.get(digest) ?? new Set();
    this.#running.set(digest, controllers.add(controller));
    const release = (): void => {
      controllers.delete(controller);
      if (controllers.size === 0 && this.#running.get(digest) === controllers)
        this.#running.delete(digest);
    };
    return { signal: controller.signal, release };
  }

  /** Ends the requests of a session that has ended. */
  end(digest: string): void {
    for (const controller of this.#running.get(digest) ?? []) controller.abort();
  }
}
