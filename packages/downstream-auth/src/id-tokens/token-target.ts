const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns whether a token may be sent to a URL: over TLS, or to this machine. RFC 6750 §5.3 */
export const mayReceiveTokens = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
};
