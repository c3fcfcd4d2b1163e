import { backendUrl, type PortalSession } from './session.ts';

/** Signs the person out and shows the page that the provider names. */
export const endSession = async ({ token = '' }: PortalSession): Promise<void> => {
  const headers = { 'x-portal-token': token };
  const response = await fetch(backendUrl('auth/end'), { method: 'POST', headers });
  const { url } = (await response.json()) as { readonly url?: string };
  location.assign(url ?? document.baseURI);
};
