import { removeDrafts } from './drafts.ts';
import { backendUrl, type PortalSession } from './session.ts';
import { informTabs } from './tabs.ts';

const SIGNED_OUT = 401;

/** The page is idle during a sign-out. */
const MAX_MS = 30_000;

/** Returns the page to show after the sign-out; undefined when it failed. */
const pageAfterEnd = async ({ token = '' }: PortalSession): Promise<string | undefined> => {
  const headers = { 'x-portal-token': token };
  const signal = AbortSignal.timeout(MAX_MS);
  const response = await fetch(backendUrl('auth/end'), { method: 'POST', headers, signal });
  // The session has ended before.
  if (response.status === SIGNED_OUT) return document.baseURI;
  if (!response.ok) return undefined;
  const { url } = (await response.json()) as { readonly url?: string };
  return url ?? document.baseURI;
};

/** Signs the person out, removes the drafts of all tabs, and shows the page that the provider names. Returns whether it succeeded. */
export const endSession = async (session: PortalSession): Promise<boolean> => {
  const page = await pageAfterEnd(session).catch(() => undefined);
  if (page === undefined) return false;
  removeDrafts();
  informTabs({ kind: 'signed-out' });
  location.assign(page);
  return true;
};
