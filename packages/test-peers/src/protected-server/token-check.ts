import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify, type JWTPayload } from 'jose';

/** Whom a protected server believes. */
export interface TokenRules {
  /** The issuers whose tokens are accepted. */
  readonly issuers: readonly string[];
  /** The audiences, one of which a token must have; undefined accepts every audience. */
  readonly audiences: readonly string[] | undefined;
  /** Opaque tokens are introspected here (RFC 7662). */
  readonly introspection?:
    | { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
}

/** The claims of an accepted token. */
export interface TokenFacts {
  readonly subject: string;
  readonly issuer: string | undefined;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly clientId: string | undefined;
  readonly email: string | undefined;
  readonly groups: readonly string[];
  /** The first 16 hexadecimal digits of the SHA-256 of the token. */
  readonly tokenHash: string;
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of a token: tests compare tokens by it. */
export const tokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('hex').slice(0, 16);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const texts = (value: unknown): readonly string[] =>
  [value].flat().filter((item) => typeof item === 'string');

const factsOf = (claims: JWTPayload, token: string): TokenFacts => ({
  subject: claims.sub ?? '',
  issuer: claims.iss,
  audience: texts(claims.aud),
  scopes: (text(claims['scope']) ?? '').split(' ').filter((scope) => scope !== ''),
  clientId: text(claims['client_id']) ?? text(claims['azp']),
  email: text(claims['email']),
  groups: texts(claims['groups']),
  tokenHash: tokenHash(token),
});

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const findKeys = async (issuer: string): Promise<KeySet> => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
  return createRemoteJWKSet(new URL(address), { cooldownDuration: 0 });
};

const isActive = (claims: { active?: boolean }): boolean => claims.active === true;

/** Verifies bearer tokens. */
export class TokenCheck {
  readonly #rules: TokenRules;
  readonly #keys = new Map<string, KeySet>();

  constructor(rules: TokenRules) {
    this.#rules = rules;
  }

  /** Returns what a token says, or undefined when it is not accepted. */
  async verify(token: string): Promise<TokenFacts | undefined> {
    const claims =
      token.split('.').length === 3 ? await this.#jwt(token) : await this.#opaque(token);
    if (claims === undefined) return undefined;
    const facts = factsOf(claims, token);
    const { audiences } = this.#rules;
    const isForUs =
      audiences === undefined || facts.audience.some((audience) => audiences.includes(audience));
    return isForUs ? facts : undefined;
  }

  async #jwt(token: string): Promise<JWTPayload | undefined> {
    try {
      const { iss: issuer = '' } = decodeJwt(token);
      if (!this.#rules.issuers.includes(issuer)) return undefined;
      const keys = this.#keys.get(issuer) ?? (await findKeys(issuer));
      this.#keys.set(issuer, keys);
      return (await jwtVerify(token, keys, { issuer })).payload;
    } catch {
      return undefined;
    }
  }

  async #opaque(token: string): Promise<JWTPayload | undefined> {
    const { introspection } = this.#rules;
    if (introspection === undefined) return undefined;
    const { endpoint, clientId, clientSecret } = introspection;
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token }),
    });
    const claims = (await response.json()) as JWTPayload & { active?: boolean };
    return isActive(claims) ? claims : undefined;
  }
}
