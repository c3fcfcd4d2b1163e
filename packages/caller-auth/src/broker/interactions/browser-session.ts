import type { Visit } from './interaction-context.ts';

/** The browser session of a person. */
export interface BrowserSession {
  readonly accountId: string;
  readonly uid: string;
}

/** Returns the session of the browser of a request; `undefined` when no person is signed in there. */
export const browserSession = async ({
  provider,
  request,
  response,
}: Visit): Promise<BrowserSession | undefined> => {
  const { accountId, uid } = await provider.Session.get(provider.createContext(request, response));
  return accountId === undefined ? undefined : { accountId, uid };
};
