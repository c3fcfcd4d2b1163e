import { isText, toObject } from '@gateway/call-contract';
import type { StartSignIn } from '@gateway/portal-ui';
import type { CatalogSection } from '@gateway/toolset-composer';
import { focusManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../backend/backend.ts';
import { pickField } from '../mcp/json.ts';
import { callForResult, GatewayError, readText } from '../mcp/meta-tools.ts';
import { CATALOG_KEY, SECTIONS_KEY } from './catalog.ts';

const POLL_MS = 3_000;
/** Polling stops after five minutes; returning to the page reads the catalog too. */
const MAX_POLLS = 100;

const isSignInRequired = (queries: QueryClient, server: string): boolean => {
  const sections = queries.getQueryData<readonly CatalogSection[]>(SECTIONS_KEY) ?? [];
  return sections.some(({ rows }) => rows.some(({ signIn }) => signIn.includes(server)));
};

/** Polls the catalog until the sign-in on another page has ended, because the gateway sends no event about it. */
const watchSignIn = (queries: QueryClient, server: string): void => {
  let polls = 0;
  const refetchCatalog = (): void => void queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
  const timer = setInterval(() => {
    polls += 1;
    // Also after the sign-in has ended: other cached catalog results may still be stale.
    refetchCatalog();
    if (polls === MAX_POLLS || !isSignInRequired(queries, server)) stop();
  }, POLL_MS);
  const unsubscribe = focusManager.subscribe((isFocused) => {
    if (isFocused) refetchCatalog();
  });
  const stop = (): void => {
    clearInterval(timer);
    unsubscribe();
  };
};

/** Returns the function that starts the sign-in to a server. It polls the catalog until the user has signed in. @spec §4.2 */
export const useStartSignIn = (): StartSignIn => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  return async (server) => {
    const call = { name: 'core_auth_login', arguments: { server } };
    // Without the capability for links, the gateway returns the link as the result.
    const result = await callForResult(gateway, 'call_tool', call, { capabilities: {} });
    const message = readText(result);
    if (result['isError'] === true) throw new GatewayError(200, message);
    const { authUrl: url } = pickField(toObject(result['structuredContent']), 'authUrl', isText);
    if (url === undefined) void queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
    else watchSignIn(queries, server);
    return { message, ...(url !== undefined && { url }) };
  };
};
