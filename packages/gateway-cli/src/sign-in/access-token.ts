import { isFresh, type SignInStore } from './sign-in-store.ts';

/** Returns a token, refreshed when less than a minute is left, or undefined without a sign-in to this gateway. */
export const findAccessToken = async (
  store: SignInStore,
  url: string,
): Promise<string | undefined> => {
  const found = await store.get(url);
  if (found === undefined) return undefined;
  if (isFresh(found.signIn)) return found.signIn.accessToken;
  // Most commands do not refresh: the library is loaded by those that do.
  const { refreshSignIn } = await import('./tokens.ts');
  return refreshSignIn(store, url);
};
