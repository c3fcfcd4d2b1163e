import { readIssuerKeys } from '../provider/configuration.ts';
import { createHash } from 'node:crypto';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { ServerResponse } from 'node:http';

export interface AuthorizerRules {
  readonly issuers: readonly string[];
  /** The audiences, one of which a token must have; undefined accepts every audience. */
  readonly audiences: readonly string[] | undefined;
  /** Opaque tokens are introspected here (RFC 7662). */
  readonly introspection?:
    | { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
}

export interface TokenFacts {
  readonly subject: string;
  readonly issuer: string | undefined;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly clientId: string | undefined;
  readonly email: string | undefined;
  readonly groups: readonly string[];
  readonly tokenHash: string;
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of a token: tests compare tokens by it. */
export const computeTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('hex').slice(0, 16);

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const listTexts = (value: unknown): readonly string[] =>
  [value].flat().filter((item) => typeof item === 'string');

const toFacts = (claims: JWTPayload, token: string): TokenFacts => ({
  subject: claims.sub ?? '',
  issuer: claims.iss,
  audience: listTexts(claims.aud),
  scopes: (readText(claims['scope']) ?? '').split(' ').filter((scope) => scope !== ''),
  clientId: readText(claims['client_id']) ?? readText(claims['azp']),
  email: readText(claims['email']),
  groups: listTexts(claims['groups']),
  tokenHash: computeTokenHash(token),
});

type KeySet = Awaited<ReturnType<typeof readIssuerKeys>>;

class TokenCheck {
  readonly #rules: AuthorizerRules;
  readonly #keys = new Map<string, KeySet>();

  constructor(rules: AuthorizerRules) {
    this.#rules = rules;
  }

  async verify(token: string): Promise<TokenFacts | undefined> {
    const claims =
      token.split('.').length === 3 ? await this.#jwt(token) : await this.#opaque(token);
    if (claims === undefined) return undefined;
    const facts = toFacts(claims, token);
    const { audiences } = this.#rules;
    const isForUs =
      audiences === undefined || facts.audience.some((audience) => audiences.includes(audience));
    return isForUs ? facts : undefined;
  }

  async #jwt(token: string): Promise<JWTPayload | undefined> {
    try {
      const { iss: issuer = '' } = decodeJwt(token);
      if (!this.#rules.issuers.includes(issuer)) return undefined;
      const keys = this.#keys.get(issuer) ?? (await readIssuerKeys(issuer));
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
    return claims.active === true ? claims : undefined;
  }
}

export interface ProtectedOptions {
  readonly port?: number;
  /** The issuers whose tokens are accepted, and that the metadata names. Without any, every request is accepted. */
  readonly issuers?: readonly string[];
  /**
   * Where the metadata of RFC 9728 is: below the path of the server (the default), at the root, only where the challenge says, or nowhere.
   * The challenge names it except for `path-without-challenge` and `root-without-challenge`.
   */
  readonly metadata?:
    'path' | 'root' | 'challenge' | 'none' | 'path-without-challenge' | 'root-without-challenge';
  /** Fields that replace those of the metadata; `undefined` removes one. */
  readonly metadataFields?: Readonly<Record<string, unknown>>;
  readonly scopesSupported?: readonly string[];
  readonly challengeScopes?: readonly string[];
  readonly toolScopes?: Readonly<Record<string, readonly string[]>>;
  /** Accepted audiences: by default the URL of the server; `any` does not look. */
  readonly audiences?: readonly string[] | 'any';
  readonly introspection?: AuthorizerRules['introspection'];
}

export interface ProtectedRequest {
  readonly httpMethod: string;
  /** The JSON-RPC method, or an empty text. */
  readonly method: string;
  readonly tool: string | undefined;
  /** The hash of the bearer, see `computeTokenHash`; undefined without a bearer. */
  readonly tokenHash: string | undefined;
  readonly isAccepted: boolean;
  readonly subject: string | undefined;
  readonly status: number;
}

export interface Challenge {
  readonly status: 401 | 403;
  readonly parameters: Readonly<Record<string, string>>;
}

const quoteText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Sends a 401 or 403 with `WWW-Authenticate: Bearer` (RFC 6750). */
export const sendChallenge = (
  response: ServerResponse,
  { status, parameters }: Challenge,
): void => {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${quoteText(value)}`);
  response.setHeader('www-authenticate', ['Bearer', list.join(', ')].join(' ').trim());
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: parameters['error'] ?? 'unauthorized' }));
};

const METADATA = '/.well-known/oauth-protected-resource';

export interface TestRejection {
  readonly status: 401 | 403;
  readonly tool: string | undefined;
  readonly scope: string | undefined;
}

/** Returns the path of the metadata of RFC 9728 for an endpoint, or undefined when there is none. */
export const findMetadataPath = (
  options: ProtectedOptions,
  endpoint: string,
): string | undefined => {
  const { metadata = 'path' } = options;
  if (metadata === 'none') return undefined;
  if (metadata === 'challenge') return '/resource-metadata';
  return metadata.startsWith('root') ? METADATA : METADATA + endpoint;
};

export class Authorizer {
  readonly #options: ProtectedOptions;
  readonly #url: URL;
  readonly #rejections: TestRejection[] = [];
  readonly #revoked = new Set<string>();
  #issuers: readonly string[] = [];
  #toolScopes: ReadonlyMap<string, readonly string[]> = new Map();
  #check: TokenCheck;

  constructor(options: ProtectedOptions, url: string) {
    this.#options = options;
    this.#url = new URL(url);
    this.#issuers = options.issuers ?? [];
    this.#check = this.#createCheck();
    this.setToolScopes(options.toolScopes ?? {});
  }

  setIssuers(issuers: readonly string[]): void {
    this.#issuers = issuers;
    this.#check = this.#createCheck();
  }

  setToolScopes(scopes: Readonly<Record<string, readonly string[]>>): void {
    this.#toolScopes = new Map(Object.entries(scopes));
  }

  reject(count: number, rejection: TestRejection): void {
    for (let at = 0; at < count; at += 1) this.#rejections.push(rejection);
  }

  revoke(hash: string): void {
    this.#revoked.add(hash);
  }

  metadata(): object {
    const { scopesSupported, metadataFields } = this.#options;
    return {
      resource: this.#url.href,
      authorization_servers: this.#issuers,
      bearer_methods_supported: ['header'],
      ...(scopesSupported !== undefined && { scopes_supported: scopesSupported }),
      ...metadataFields,
    };
  }

  /** Returns why a request is refused, or the facts of its token; undefined when the server requires no tokens. */
  async judge(
    token: string | undefined,
    tool: string | undefined,
  ): Promise<Challenge | TokenFacts | undefined> {
    if (this.#issuers.length === 0) return undefined;
    if (token === undefined) return this.#challenge(401, {});
    const facts = this.#revoked.has(computeTokenHash(token))
      ? undefined
      : await this.#check.verify(token);
    if (facts === undefined) return this.#challenge(401, { error: 'invalid_token' });
    return this.#findChallenge(tool) ?? this.#missingScopes(facts, tool) ?? facts;
  }

  #createCheck(): TokenCheck {
    const { audiences = [this.#url.href], introspection } = this.#options;
    return new TokenCheck({
      issuers: this.#issuers,
      audiences: audiences === 'any' ? undefined : audiences,
      introspection,
    });
  }

  #challenge(status: 401 | 403, more: Readonly<Record<string, string>>): Challenge {
    const { metadata = 'path', challengeScopes } = this.#options;
    const path = findMetadataPath(this.#options, this.#url.pathname);
    const isNamed = path !== undefined && !metadata.endsWith('without-challenge');
    const scope = challengeScopes?.join(' ');
    return {
      status,
      parameters: {
        ...(scope !== undefined && { scope }),
        ...more,
        ...(isNamed && { resource_metadata: this.#url.origin + path }),
      },
    };
  }

  #findChallenge(tool: string | undefined): Challenge | undefined {
    const at = this.#rejections.findIndex(
      (rejection) => rejection.tool === undefined || rejection.tool === tool,
    );
    const [rejection] = at < 0 ? [] : this.#rejections.splice(at, 1);
    if (rejection === undefined) return undefined;
    const { status, scope } = rejection;
    const error = status === 401 ? 'invalid_token' : 'insufficient_scope';
    return this.#challenge(status, { error, ...(scope !== undefined && { scope }) });
  }

  #missingScopes(facts: TokenFacts, tool: string | undefined): Challenge | undefined {
    const needed = this.#toolScopes.get(tool ?? '') ?? [];
    if (needed.every((scope) => facts.scopes.includes(scope))) return undefined;
    return this.#challenge(403, { error: 'insufficient_scope', scope: needed.join(' ') });
  }
}
