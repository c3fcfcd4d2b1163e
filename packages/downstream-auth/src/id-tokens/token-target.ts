const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns whether a token may be sent to a URL: over TLS, or to this machine. RFC 6750 §5.3 */
export const mayReceiveTokens = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
};

/**
 * Returns why no token may be sent to the URL of a server, with the remedy; `undefined` for a URL that may receive tokens: over TLS, on
 * this machine, or over plain HTTP at a host that the operator names.
 */
export const findTokenProblem = (
  url: string,
  isPlainHttpHost: (hostname: string) => boolean,
): string | undefined => {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return mayReceiveTokens(url) || isPlainHttpHost(hostname)
    ? undefined
    : `tokens are not sent over plain HTTP to "${hostname}": write an https:// URL in spec.url, or name the host in servers.plainHttpTokenHosts of config.yaml`;
};
