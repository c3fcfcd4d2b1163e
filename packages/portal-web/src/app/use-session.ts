import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { removeDrafts } from '../backend/drafts.ts';
import { readSession, type PortalSession } from '../backend/session.ts';
import { followTabs, informTabs } from '../backend/tabs.ts';

const SESSION_KEY = ['session'];

/** The session of the browser. */
export interface FollowedSession {
  readonly session: UseQueryResult<PortalSession>;
  /** Reads the session again. */
  readonly readAgain: () => void;
}

/** Returns a person who is signed in, or an empty text. */
export const personOf = ({ person }: PortalSession): string => person?.id ?? '';

/** A tab that the browser had frozen at a sign-out did not learn of it: its drafts end when the person is found to be gone. */
const useDraftsOfPerson = (data: PortalSession | undefined): void => {
  const isGone = data?.signInRequired === true && data.person === undefined;
  useEffect(() => {
    if (isGone) removeDrafts();
  }, [isGone]);
};

/** Reads the session again when another tab has another person, and when the browser shows the page as it was before. */
const useOtherPersons = (data: PortalSession | undefined, readAgain: () => void): void => {
  const id = data === undefined ? undefined : personOf(data);
  useEffect(() => {
    if (id !== undefined) informTabs({ kind: 'person', id });
    return followTabs((message) => {
      if (message.kind === 'signed-out') removeDrafts();
      if (message.kind === 'signed-out' || message.id !== id) readAgain();
    });
  }, [id, readAgain]);
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) readAgain();
    };
    addEventListener('pageshow', show);
    return () => removeEventListener('pageshow', show);
  }, [readAgain]);
};

/** Follows the session: every tab has the person who signed in last in the browser. */
export const useSession = (): FollowedSession => {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  const readAgain = useMemo(
    () => () => void queries.invalidateQueries({ queryKey: SESSION_KEY }),
    [queries],
  );
  useOtherPersons(session.data, readAgain);
  useDraftsOfPerson(session.data);
  return { session, readAgain };
};
