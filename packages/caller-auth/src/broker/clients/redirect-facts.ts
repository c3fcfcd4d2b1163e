/** The receiver of the result of a sign-in, as a person should know it. */
export interface RedirectFacts {
  /** Host and port, or the scheme of an application. */
  readonly host: string;
  /** `loopback`: a program on the person's own computer; `application`: an application with a scheme of its own; `site`: a web site. */
  readonly kind: 'loopback' | 'application' | 'site';
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether a redirect URI names a program on the person's own computer (RFC 8252 §7.3). */
export const isLoopbackRedirect = (uri: string): boolean =>
  URL.canParse(uri) &&
  new URL(uri).protocol === 'http:' &&
  LOOPBACK_HOSTS.has(new URL(uri).hostname);

/** Returns what a redirect URI is. The URI must be one that `URL` can parse. */
export const redirectFacts = (uri: string): RedirectFacts => {
  const { protocol, host } = new URL(uri);
  if (isLoopbackRedirect(uri)) return { host, kind: 'loopback' };
  if (protocol === 'https:' || protocol === 'http:') return { host, kind: 'site' };
  return { host: protocol, kind: 'application' };
};

/**
 * Returns the type of application that redirect URIs belong to: with `native`, the port of a loopback address may differ from the
 * registered one, because the program takes any free port (RFC 8252 §7.3).
 */
export const applicationTypeOf = (redirectUris: unknown): 'native' | 'web' =>
  Array.isArray(redirectUris) &&
  redirectUris.some((uri) => typeof uri === 'string' && isNativeRedirect(uri))
    ? 'native'
    : 'web';

const isNativeRedirect = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false;
  const { protocol } = new URL(uri);
  return isLoopbackRedirect(uri) || (protocol !== 'https:' && protocol !== 'http:');
};
