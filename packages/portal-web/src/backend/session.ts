/** The facts that the backend knows about the user and its services. */
export interface PortalSession {
  readonly signInRequired: boolean;
  /** `id` is equal in all sessions of the user, and says nothing about the user. */
  readonly user?: { readonly id: string; readonly name: string };
  /** Repeated in requests that change something. */
  readonly token?: string;
  readonly hasAgentManager: boolean;
  readonly hasMetrics: boolean;
  readonly labelDomain?: string;
  /** The MCP endpoint as the portal reaches it. */
  readonly gatewayUrl?: string;
}

/** Returns an address of the backend, below the path of the portal. */
export const resolveBackendUrl = (path: string): string => new URL(path, document.baseURI).href;

/** Reads the session. Rejects when the backend does not answer. */
export const readSession = async (): Promise<PortalSession> => {
  const response = await fetch(resolveBackendUrl('session'), { cache: 'no-store' });
  if (!response.ok) throw new Error('The portal cannot be reached.');
  return (await response.json()) as PortalSession;
};

/** Returns the address that signs a user in and comes back to a page. */
export const formatSignInUrl = (returnTo: string): string =>
  `${resolveBackendUrl('auth/start')}?${new URLSearchParams({ return: returnTo }).toString()}`;

const PREFIX = 'draft ';

/** Returns the key of a draft in the session storage. A draft of one user is not shown to the next. */
export const formatDraftKey = (name: string, { user }: PortalSession): string =>
  `${PREFIX}${name} ${user?.id ?? ''}`;

/** Removes all drafts of this tab. */
export const removeDrafts = (): void => {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Policies of browsers can refuse the storage: it then has no drafts.
  }
};

/** A message of a tab to the other tabs of the portal in the browser. */
type TabMessage = { readonly kind: 'user'; readonly id: string } | { readonly kind: 'signed-out' };

/** Portals under other paths of the origin have other users. */
const formatChannelName = (): string => `portal ${document.baseURI}`;

/** Informs the other tabs. */
export const informTabs = (message: TabMessage): void => {
  const channel = new BroadcastChannel(formatChannelName());
  channel.postMessage(message);
  channel.close();
};

/** Follows the messages of other tabs, and returns the function that ends it. */
export const followTabs = (listener: (message: TabMessage) => void): (() => void) => {
  const channel = new BroadcastChannel(formatChannelName());
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
  return () => channel.close();
};

const SIGNED_OUT = 401;

/** The page is idle during a sign-out. */
const MAX_MS = 30_000;

/** Returns the page to show after the sign-out; undefined when it failed. */
const requestEndPage = async ({ token = '' }: PortalSession): Promise<string | undefined> => {
  const headers = { 'x-portal-token': token };
  const signal = AbortSignal.timeout(MAX_MS);
  const response = await fetch(resolveBackendUrl('auth/end'), { method: 'POST', headers, signal });
  // The session has ended before.
  if (response.status === SIGNED_OUT) return document.baseURI;
  if (!response.ok) return undefined;
  const { url } = (await response.json()) as { readonly url?: string };
  return url ?? document.baseURI;
};

/** Signs the user out, removes the drafts of all tabs, and shows the page that the provider names. Returns whether it succeeded. */
export const endSession = async (session: PortalSession): Promise<boolean> => {
  const page = await requestEndPage(session).catch(() => undefined);
  if (page === undefined) return false;
  removeDrafts();
  informTabs({ kind: 'signed-out' });
  location.assign(page);
  return true;
};
