import { focusManager, type QueryClient } from '@tanstack/react-query';
import type { CatalogSection } from '@gateway/toolset-composer';
import { CATALOG_KEY, SECTIONS_KEY } from './use-catalog.ts';

const POLL_MS = 3_000;
/** A person who needs longer than five minutes comes back to the page, which reads the catalog too. */
const MAX_POLLS = 100;

const isRequired = (queries: QueryClient, server: string): boolean => {
  const sections = queries.getQueryData<readonly CatalogSection[]>(SECTIONS_KEY) ?? [];
  return sections.some(({ rows }) => rows.some(({ signIn }) => signIn.includes(server)));
};

/** Reads the catalog again until a sign-in to a server, which happens on another page, has ended. The gateway sends no event about it. */
export const watchSignIn = (queries: QueryClient, server: string): void => {
  let polls = 0;
  const readAgain = (): void => void queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
  const timer = setInterval(() => {
    polls += 1;
    // Also when the sections are those after the sign-in: other answers of the last time can be older.
    readAgain();
    if (polls === MAX_POLLS || !isRequired(queries, server)) stop();
  }, POLL_MS);
  const unsubscribe = focusManager.subscribe((isFocused) => {
    if (isFocused) readAgain();
  });
  const stop = (): void => {
    clearInterval(timer);
    unsubscribe();
  };
};
