/** Names and attributes of cookies. */
export interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
  /** Prefix of the cookie that binds a sign-in at the provider to the browser. */
  readonly login: string;
  readonly isSecure: boolean;
}

/**
 * Returns the names of cookies. With https the prefixes `__Host-` and `__Secure-` make browsers refuse them from other hosts and over
 * http; a cookie with a path of its own cannot have `__Host-`.
 */
export const cookieNames = (publicUrl: URL): CookieNames => {
  const isSecure = publicUrl.protocol === 'https:';
  const [host, secure] = isSecure ? ['__Host-', '__Secure-'] : ['', ''];
  return {
    session: `${host}gateway_session`,
    interaction: `${secure}gateway_interaction`,
    resume: `${secure}gateway_resume`,
    login: `${host}gateway_login_`,
    isSecure,
  };
};
