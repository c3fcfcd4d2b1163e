import type { Challenge } from './challenge.ts';
import type { ProtectedOptions } from './protected-options.ts';
import { TokenCheck, tokenHash, type TokenFacts } from './token-check.ts';

const METADATA = '/.well-known/oauth-protected-resource';

/** A refusal that a test ordered. */
export interface Rejection {
  readonly status: 401 | 403;
  readonly tool: string | undefined;
  readonly scope: string | undefined;
}

/** Returns the path of the metadata of RFC 9728 for an endpoint, or undefined when there is none. */
export const metadataPath = (options: ProtectedOptions, endpoint: string): string | undefined => {
  const { metadata = 'path' } = options;
  if (metadata === 'none') return undefined;
  if (metadata === 'challenge') return '/resource-metadata';
  return metadata.startsWith('root') ? METADATA : METADATA + endpoint;
};

/** Decides which requests a protected server accepts. */
export class Authorizer {
  readonly #options: ProtectedOptions;
  readonly #url: URL;
  readonly #rejections: Rejection[] = [];
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

  reject(count: number, rejection: Rejection): void {
    for (let at = 0; at < count; at += 1) this.#rejections.push(rejection);
  }

  revoke(hash: string): void {
    this.#revoked.add(hash);
  }

  /** The metadata of RFC 9728. */
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
    const facts = this.#revoked.has(tokenHash(token)) ? undefined : await this.#check.verify(token);
    if (facts === undefined) return this.#challenge(401, { error: 'invalid_token' });
    return this.#rejected(tool) ?? this.#missingScopes(facts, tool) ?? facts;
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
    const path = metadataPath(this.#options, this.#url.pathname);
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

  #rejected(tool: string | undefined): Challenge | undefined {
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
    const ofTool = tool === undefined ? undefined : this.#toolScopes.get(tool);
    const needed = [...(this.#options.requiredScopes ?? []), ...(ofTool ?? [])];
    if (needed.every((scope) => facts.scopes.includes(scope))) return undefined;
    return this.#challenge(403, { error: 'insufficient_scope', scope: needed.join(' ') });
  }
}
