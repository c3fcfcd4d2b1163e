/** Claims of a JWT that is not verified: read only from tokens that come from their issuer over TLS, or that the receiver verifies. */
export interface UnverifiedClaims {
  readonly iss?: string;
  readonly aud: readonly string[];
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** The compact serialisation of a signed token. RFC 7515 §3.1 */
const JWS = /^[\w-]+\.(?<payload>[\w-]+)\.[\w-]*$/u;
const MAX_CHARS = 64 * 1024;

const fieldsOf = (payload: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Buffer.from(payload, 'base64url'),
    );
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
};

const audiencesOf = (aud: unknown): readonly string[] =>
  (Array.isArray(aud) ? (aud as readonly unknown[]) : [aud]).filter(
    (each): each is string => typeof each === 'string',
  );

/** Returns the claims of a JWT, or `undefined` for an opaque token. RFC 7519 §4.1 */
export const unverifiedClaimsOf = (token: string): UnverifiedClaims | undefined => {
  if (token.length > MAX_CHARS) return undefined;
  const fields = fieldsOf(JWS.exec(token)?.groups?.['payload'] ?? '');
  if (fields === undefined) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const iss = own('iss');
  const exp = own('exp');
  return {
    aud: audiencesOf(own('aud')),
    ...(typeof iss === 'string' && { iss }),
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  };
};
