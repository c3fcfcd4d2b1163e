import { isJsonObject, type JsonObject } from '@gateway/call-contract';

/** The parts of a JSON Web Token that is not verified yet: nothing may be decided by them but which issuer verifies it. */
export interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Parses a token in the compact form of JWS (RFC 7515 §7.1); returns `undefined` for any other token. */
export const parseUnverifiedJwt = (token: string): UnverifiedJwt | undefined => {
  const parts = token.split('.', 4);
  if (parts.length !== 3 || token.endsWith('.')) return undefined;
  const header = objectOf(parts[0]);
  const claims = header === undefined ? undefined : objectOf(parts[1]);
  return header === undefined || claims === undefined ? undefined : { header, claims };
};

const objectOf = (part = ''): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
