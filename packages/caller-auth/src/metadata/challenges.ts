/** The facts of a refused request. */
export interface ChallengeFacts {
  /** Code of RFC 6750 §3.1; absent for a request without a token. */
  readonly error?: string | undefined;
  /** The scopes of the request. */
  readonly scopes: readonly string[];
}

/** Explains `invalid_token` to developers of clients. It is the same for every reason, so that it reveals nothing about the token. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  invalid_request: 'The request is malformed',
  invalid_token: 'The access token is invalid or has expired',
  insufficient_scope: 'The access token lacks a scope',
};

/** Returns a `WWW-Authenticate` value of RFC 6750 §3 with the metadata of RFC 9728 §5.1, and the scopes of the request. */
export const bearerChallenge = (metadataUrl: string, { error, scopes }: ChallengeFacts): string => {
  const description = error === undefined ? undefined : DESCRIPTIONS[error];
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    `resource_metadata="${metadataUrl}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`;
};
