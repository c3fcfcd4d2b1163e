/** The credentials of the gateway at a token endpoint. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns the text as `application/x-www-form-urlencoded`. RFC 6749 appendix B */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/**
 * Returns the value of the header `Authorization`. Both parts are encoded before they are joined, and no more than the form requires: servers
 * in use compare the parts without decoding them, so `-`, `.` and `_` stay. RFC 6749 §2.3.1
 */
export const basicAuthorization = ({ clientId, clientSecret }: ClientCredentials): string =>
  `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`;

/** Returns the client authentication `client_secret_basic`, in the form of `oauth4webapi` and `openid-client`. */
export const basicAuthentication =
  (clientSecret: string) =>
  (
    _server: unknown,
    { client_id: clientId }: { readonly client_id: string },
    _body: unknown,
    headers: Headers,
  ): void => {
    headers.set('authorization', basicAuthorization({ clientId, clientSecret }));
  };
