import { setTimeout as pause } from 'node:timers/promises';
import { type IdentityProvider, ProviderError } from './identity-provider.ts';
import { LOCK_MS, type Sessions, type SignedInSession } from './sessions.ts';

/** Milliseconds before its end in which a token is replaced. */
const EARLY_MS = 30_000;
/** Milliseconds between two reads of a session that another replica refreshes, and how many of them. */
const READ_MS = 100;
const MAX_READS = LOCK_MS / READ_MS;

/** Returns the session of an id with a token that is still valid; undefined when the user has to sign in. */
type CurrentSession = (id: string) => Promise<SignedInSession | undefined>;

/** The parts of {@link createCurrentSession}. */
interface CurrentSessionParts {
  readonly sessions: Pick<Sessions, 'read' | 'update' | 'end' | 'lock'>;
  readonly provider: Pick<IdentityProvider, 'refresh' | 'revoke'>;
  readonly now: () => number;
}

class SessionRefresh {
  readonly #parts: CurrentSessionParts;

  constructor(parts: CurrentSessionParts) {
    this.#parts = parts;
  }

  isFresh({ expiresAt, refreshToken }: SignedInSession): boolean {
    const early = refreshToken === undefined ? 0 : EARLY_MS;
    return expiresAt - this.#parts.now() > early;
  }

  /** A refresh token may be for one use, whose repetition ends the sign-in: replicas refresh one after the other. */
  async run(id: string): Promise<SignedInSession | undefined> {
    const { sessions } = this.#parts;
    for (let looks = 0; looks < MAX_READS; looks += 1) {
      const unlock = await sessions.lock(id);
      try {
        const stored = await sessions.read(id);
        if (stored === undefined || this.isFresh(stored)) return stored;
        if (unlock !== undefined) return await this.#replace(id, stored);
      } finally {
        await unlock?.();
      }
      await pause(READ_MS);
    }
    throw new ProviderError();
  }

  async #replace(id: string, session: SignedInSession): Promise<SignedInSession | undefined> {
    const { sessions, provider, now } = this.#parts;
    try {
      const next = await provider.refresh(session);
      if (next === undefined) await sessions.end(id);
      else if (!(await sessions.update(id, next))) {
        // A user who signed out meanwhile stays signed out, and the sign-out did not know these tokens.
        await provider.revoke(next);
        return undefined;
      }
      return next;
    } catch (error) {
      if (error instanceof ProviderError && session.expiresAt > now()) return session;
      throw error;
    }
  }
}

/** Creates the reader of sessions. Concurrent requests of a session share one refresh. */
export const createCurrentSession = (parts: CurrentSessionParts): CurrentSession => {
  const refreshing = new Map<string, Promise<SignedInSession | undefined>>();
  const refresh = new SessionRefresh(parts);
  return async (id) => {
    const session = await parts.sessions.read(id);
    if (session === undefined || refresh.isFresh(session)) return session;
    const running =
      refreshing.get(id) ??
      refresh.run(id).finally(() => {
        refreshing.delete(id);
      });
    refreshing.set(id, running);
    return running;
  };
};
