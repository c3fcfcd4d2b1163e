/** The answer to a request to sign in to a server. */
export interface SignInStart {
  /** A sentence for the person. */
  readonly message: string;
  /** The page of the provider on which the person continues. */
  readonly url?: string;
}

/** Starts the sign-in to a server. Rejects with an error whose message is shown. */
export type StartSignIn = (server: string) => Promise<SignInStart>;

/** Returns whether an address opens a page of the web, and runs no script. */
export const isWebAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  return ['http:', 'https:'].includes(new URL(address).protocol);
};
