import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@gateway/call-contract';
import type { RouteHandler } from './metadata/resource-metadata.ts';
import type { ForwardedTokenOutcome } from './resource-server/forwarded-tokens.ts';
import type { GatewayScope } from './tokens/scopes.ts';
import type { TokenVerifier } from './tokens/token-verifier.ts';

/** The tokens of callers that downstream servers accept. */
export interface ForwardableTokens {
  /** Returns the token of a person with all these audiences. Never rejects. */
  idToken(
    principal: Principal,
    wanted: { readonly audiences: readonly string[] },
  ): Promise<
    | ForwardedTokenOutcome
    | {
        readonly ok: false;
        readonly code: 'signed-out' | 'audience-missing' | 'unavailable';
        readonly audience?: string;
      }
  >;
}

/** Returns whether the browser of a request is signed in as another person than the one with a key. Rejects when the state cannot be read. */
export type BrowserCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  principalKey: string,
) => Promise<boolean>;

/** The verifier and the endpoints of one mode. */
export interface AuthBackend {
  readonly verifier: TokenVerifier;
  readonly idTokens: ForwardableTokens;
  readonly authorizationServers: readonly string[];
  /** The scopes that tokens need; a scope that no issuer grants is not among them. */
  readonly scopes: readonly GatewayScope[];
  readonly routes?: Readonly<Record<string, RouteHandler>>;
  readonly prefixes?: Readonly<Record<string, RouteHandler>>;
  /** Absent where browsers do not sign in to the gateway. */
  readonly isOtherPerson?: BrowserCheck;
  readonly close?: () => Promise<void>;
}
