import type { TokenOutcome, TokenVerifier } from '../tokens/token-verifier.ts';
import { parseUnverifiedJwt, type UnverifiedJwt } from './jwt-text.ts';

/** Verifies the JSON Web Tokens of one issuer. */
export interface IssuerVerifier {
  verify(token: string, unverified: UnverifiedJwt): Promise<TokenOutcome>;
}

/** The verifiers of a resource server. */
export interface ResourceServerDependencies {
  /** By issuer, as `iss` names it. */
  readonly issuers: ReadonlyMap<string, IssuerVerifier>;
  /** Verifies the tokens that are not JSON Web Tokens, and those of the issuers without another verifier. */
  readonly opaque: TokenVerifier | undefined;
}

/** Verifies the tokens of several issuers: a token is shown to the verifier of its issuer only. */
export class ResourceServer implements TokenVerifier {
  readonly #dependencies: ResourceServerDependencies;

  constructor(dependencies: ResourceServerDependencies) {
    this.#dependencies = dependencies;
  }

  verify(token: string): Promise<TokenOutcome> {
    const { issuers, opaque } = this.#dependencies;
    const jwt = parseUnverifiedJwt(token);
    if (jwt === undefined) return opaque?.verify(token) ?? refused('malformed');
    const { iss } = jwt.claims;
    const verifier = typeof iss === 'string' ? issuers.get(iss) : undefined;
    return verifier?.verify(token, jwt) ?? refused('unknown-issuer');
  }
}

const refused = (code: 'malformed' | 'unknown-issuer'): Promise<TokenOutcome> =>
  Promise.resolve({ ok: false, code });
