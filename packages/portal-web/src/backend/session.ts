/** The facts that the backend knows about the person and its services. */
export interface PortalSession {
  readonly signInRequired: boolean;
  /** `id` is equal in all sessions of the person, and says nothing about the person. */
  readonly person?: { readonly id: string; readonly name: string };
  /** Repeated in requests that change something. */
  readonly token?: string;
  readonly hasAgentManager: boolean;
  readonly hasMetrics: boolean;
  readonly labelDomain?: string;
}

/** Returns an address of the backend, below the path of the portal. */
export const backendUrl = (path: string): string => new URL(path, document.baseURI).href;

/** Reads the session. Rejects when the backend does not answer. */
export const readSession = async (): Promise<PortalSession> => {
  const response = await fetch(backendUrl('session'), { cache: 'no-store' });
  if (!response.ok) throw new Error('The portal cannot be reached.');
  return (await response.json()) as PortalSession;
};

/** Returns the address that signs a person in and comes back to a page. */
export const signInUrl = (returnTo: string): string =>
  `${backendUrl('auth/start')}?${new URLSearchParams({ return: returnTo }).toString()}`;
