import {
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  decodeProtectedHeader,
  type CryptoKey,
  type JWK,
} from 'jose';

/** A key that signs tokens. */
export interface SigningKey {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

/** Creates an RSA key. @param kid its name in the key set */
export const createSigningKey = async (kid: string): Promise<SigningKey> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  return { jwk, privateKey };
};

/** Signs the claims of a token again, some of them replaced. */
export const signAgain = (
  token: string,
  claims: Readonly<Record<string, unknown>>,
  { privateKey }: SigningKey,
): Promise<string> => {
  const { alg = 'RS256', ...header } = decodeProtectedHeader(token);
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ ...header, alg })
    .sign(privateKey);
};

const discoveredKeys = async (issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
  return createRemoteJWKSet(new URL(address));
};

/** Verifies a token of one of the issuers. @returns its subject. @throws {Error} when it is not valid */
export const verifySubject = async (
  token: string,
  own: { readonly issuer: string; readonly keys: readonly SigningKey[] },
  trusted: readonly string[],
): Promise<string> => {
  const { iss = '' } = decodeJwt(token);
  if (iss !== own.issuer && !trusted.includes(iss)) throw new Error(`unknown issuer ${iss}`);
  const [key] = own.keys.filter(({ jwk }) => jwk.kid === decodeProtectedHeader(token).kid);
  const { payload } =
    iss === own.issuer && key !== undefined
      ? await jwtVerify(token, await importJWK(publicPart(key.jwk), 'RS256'), { issuer: iss })
      : await jwtVerify(token, await discoveredKeys(iss), { issuer: iss });
  if (payload.sub === undefined) throw new Error('the token has no subject');
  return payload.sub;
};

const publicPart = ({ kty, n, e }: JWK): JWK =>
  Object.fromEntries(Object.entries({ kty, n, e }).filter(([, value]) => value !== undefined));
