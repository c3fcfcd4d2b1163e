import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { McpService, RequestContext, ServiceCall } from '../protocol/mcp-service.ts';
import { refusalError, refusalStatus, type InsufficientScope } from '../protocol/refusal.ts';
import type { SettledResponse } from '../protocol/response-sink.ts';
import { errorResponse } from '../protocol/responses.ts';

/** The dependencies of {@link RequiredScopes}. */
export interface RequiredScopesDependencies {
  readonly service: McpService;
  /** Returns the value of `WWW-Authenticate` that names scopes; absent where callers do not sign in. */
  readonly scopeChallenge?: ((scopes: readonly string[]) => string) | undefined;
}

/** Refuses calls whose credentials lack scopes. RFC 6750 §3.1 */
export class RequiredScopes {
  readonly #dependencies: RequiredScopesDependencies;

  constructor(dependencies: RequiredScopesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the answer to a call whose credentials lack scopes; `undefined` where they suffice. */
  refuse(
    request: JSONRPCRequest,
    call: ServiceCall,
    context: RequestContext,
  ): SettledResponse | undefined {
    const { service, scopeChallenge } = this.#dependencies;
    const missing = service.missingScopes?.(call, context);
    if (missing === undefined) return undefined;
    const challenge = scopeChallenge?.(missing.scopes);
    const refusal: InsufficientScope = {
      code: 'insufficient-scope',
      sentence: missing.sentence,
      ...(challenge !== undefined && { challenge }),
    };
    const response = errorResponse(request, refusalError(refusal), refusalStatus(refusal));
    return { ...response, refusal };
  }
}
