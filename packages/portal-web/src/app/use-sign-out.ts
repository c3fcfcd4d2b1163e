import { useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { endSession } from '../backend/end-session.ts';

/**
 * Returns the function that signs the person out and shows another page. It resolves with whether it succeeded.
 *
 * The page reads nothing meanwhile: a request that arrives after the end of the session would be refused.
 */
export const useSignOut = (): (() => Promise<boolean>) => {
  const { session, holdRequests } = useBackend();
  const queries = useQueryClient();
  return async () => {
    const release = holdRequests();
    await queries.cancelQueries();
    const hasEnded = await endSession(session);
    if (hasEnded) return true;
    release();
    void queries.invalidateQueries();
    return false;
  };
};
