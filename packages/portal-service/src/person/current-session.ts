import type { IdentityProvider } from './identity-provider.ts';
import type { Sessions } from './sessions.ts';
import type { SignedInSession } from './session-record.ts';

/** Milliseconds before its end in which a token is replaced. */
const EARLY_MS = 30_000;

/** Returns the session of an id with a token that is still valid; undefined when the person has to sign in. */
export type CurrentSession = (id: string) => Promise<SignedInSession | undefined>;

/** Creates the reader of sessions. Concurrent requests of a session share one refresh. */
export const createCurrentSession = (
  sessions: Sessions,
  provider: IdentityProvider,
  now: () => number,
): CurrentSession => {
  const refreshing = new Map<string, Promise<SignedInSession | undefined>>();
  const isFresh = ({ expiresAt }: SignedInSession): boolean => expiresAt - now() > EARLY_MS;

  const refresh = async (
    id: string,
    session: SignedInSession,
  ): Promise<SignedInSession | undefined> => {
    const next = await provider.refresh(session);
    if (next !== undefined) {
      await sessions.write(id, next);
      return next;
    }
    // Another replica may have used the refresh token.
    const stored = await sessions.read(id);
    if (stored !== undefined && isFresh(stored)) return stored;
    await sessions.remove(id);
    return undefined;
  };

  return async (id) => {
    const session = await sessions.read(id);
    if (session === undefined || isFresh(session)) return session;
    const running =
      refreshing.get(id) ??
      refresh(id, session).finally(() => {
        refreshing.delete(id);
      });
    refreshing.set(id, running);
    return running;
  };
};
