const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a token in the syntax of a JWT; its signature is not valid. */
export const unsignedToken = (claims: object): string =>
  `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;

/** Returns an ID token that ends in an hour. */
export const idTokenOf = (sub: string, claims: object = {}): string =>
  unsignedToken({
    iss: 'https://home.example.com',
    sub,
    aud: 'gateway',
    exp: Math.floor(Date.now() / 1000) + 3600,
    ...claims,
  });
