import { isFresh, type SignInStore } from './sign-in-store.ts';

/** Returns the token of the sign-in to a gateway; undefined without a sign-in. Refreshes it a minute before it expires. */
export const findAccessToken = async (
  store: SignInStore,
  url: string,
): Promise<string | undefined> => {
  const found = await store.get(url);
  if (found === undefined) return undefined;
  if (isFresh(found.signIn)) return found.signIn.accessToken;
  // Loads the library only when a refresh is needed.
  const { refreshSignIn } = await import('./tokens.ts');
  return refreshSignIn(store, url);
};
