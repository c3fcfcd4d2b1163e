import type { CallMethod } from '@gateway/mcp-wire';
import type {
  CallContext,
  CallOutcome,
  CallResult,
  JsonObject,
  Principal,
  RpcError,
} from '@gateway/call-contract';
import type { ToolsetRequest, MetaToolPorts } from '../contract/meta-tool.ts';

/** One call. The endpoint has validated the types of its parameters: `name`, `uri` or `ref` and `argument`. */
export interface NativeCall extends Pick<ToolsetRequest, 'toolsetHeader'> {
  readonly method: CallMethod;
  readonly params: JsonObject;
  readonly context: CallContext;
}

/** The outcome of a request: what it gives, or a JSON-RPC error, the server's own where it gave one. */
export type NativeOutcome<T> =
  (T & { readonly ok: true }) | { readonly ok: false; readonly error: RpcError };

/** The server's own result, untouched, or the error. */
export type NativeAnswer = NativeOutcome<{ readonly result: CallResult }>;

/** Why a server does not follow a resource, as the end of a sentence, with its own error when it gave one. */
type FollowOutcome =
  { readonly ok: true; readonly end: () => void } | Extract<CallOutcome, { readonly ok: false }>;

/** The reference of a completion, by the server's own name or URI. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface NativePorts extends MetaToolPorts {
  /** Returns whether a server signs users in, so that the tools to sign in and out are listed. Reads memory. */
  signsUsersIn(): boolean;
  /** Asks a server for completions of an argument. */
  complete(
    question: {
      readonly server: string;
      readonly ref: CompletionReference;
      readonly argument: JsonObject;
      readonly context?: JsonObject;
    },
    context: CallContext,
  ): Promise<CallOutcome>;
  /** Follows a resource of a server by the server's own URI, as a principal sees it. */
  subscribeResource(
    resource: { readonly server: string; readonly uri: string },
    onUpdated: (params: JsonObject) => void,
    principal: Principal,
  ): Promise<FollowOutcome>;
}
