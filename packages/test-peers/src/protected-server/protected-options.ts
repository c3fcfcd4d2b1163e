import type { FaultRule } from '../http/fault.ts';
import type { TokenRules } from './token-check.ts';

/** Options of `startProtectedServer`. */
export interface ProtectedOptions {
  /** 0 for any free one. */
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
  /** `scopes_supported` of the metadata. */
  readonly scopesSupported?: readonly string[];
  /** The scopes of the 401 challenge. */
  readonly challengeScopes?: readonly string[];
  /** Scopes that every request needs. */
  readonly requiredScopes?: readonly string[];
  /** Scopes that calls of a tool need, by name. */
  readonly toolScopes?: Readonly<Record<string, readonly string[]>>;
  /** Accepted audiences: by default the URL of the server; `any` does not look. */
  readonly audiences?: readonly string[] | 'any';
  readonly introspection?: TokenRules['introspection'];
}

/** A request that a protected server received at its MCP endpoint. */
export interface ProtectedRequest {
  readonly httpMethod: string;
  /** The JSON-RPC method, or an empty text. */
  readonly method: string;
  /** The name of the called tool. */
  readonly tool: string | undefined;
  /** The hash of the bearer, see `tokenHash`; undefined without a bearer. */
  readonly tokenHash: string | undefined;
  readonly isAccepted: boolean;
  /** The subject of an accepted token. */
  readonly subject: string | undefined;
  /** 0 while there is no response. */
  readonly status: number;
}

/** A running MCP server that requires tokens. */
export interface ProtectedServer {
  /** The MCP endpoint, which is also the resource (RFC 8707) and the audience. */
  readonly url: string;
  readonly origin: string;
  /** Every request of the endpoint since the start. */
  readonly requests: readonly ProtectedRequest[];
  /** Returns the accepted calls of a tool. */
  readonly calls: (tool: string) => readonly ProtectedRequest[];
  /** Refuses the next requests with a bearer, or only the next calls of a tool. */
  readonly rejectNext: (
    count: number,
    options?: { readonly status?: 401 | 403; readonly tool?: string; readonly scope?: string },
  ) => void;
  /** Refuses all present tokens of a subject from now on. */
  readonly revoke: (subject: string) => void;
  /** Adds a tool, and announces it to those who listen. */
  readonly addTool: (name: string) => void;
  /** Accepts tokens of other issuers from now on. The metadata names them. */
  readonly setIssuers: (issuers: readonly string[]) => void;
  /** Changes the scopes that tools need. */
  readonly setToolScopes: (scopes: Readonly<Record<string, readonly string[]>>) => void;
  /** Ends all waiting calls of the tool `slow`. */
  readonly release: () => void;
  readonly setFault: (rule: FaultRule | undefined) => void;
  readonly close: () => Promise<void>;
}
