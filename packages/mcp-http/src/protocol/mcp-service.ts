import type { CallContext, Caller, JsonObject, RpcError } from '@gateway/call-contract';
import type { HeaderReader } from './request-headers.ts';

/** The methods that a service answers with a list, out of what it holds in memory. */
export type ListMethod =
  'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** The methods that a service may take its time for. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';

/** What a service can do, as clients are told it: exactly this. A method whose capability is absent is an unknown method. */
export interface ServiceCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly completions?: Readonly<Record<string, never>>;
  readonly logging?: Readonly<Record<string, never>>;
}

/** What the face knows of a request. */
export interface RequestContext {
  /** The session's id; `undefined` for a request without a session. */
  readonly sessionId: string | undefined;
  /** Values of a request header in the order of its lines, by lower-case name; absent header: `undefined`. */
  readonly header: HeaderReader;
}

/** The context of a call together with its request. The endpoint creates `signal`, `caller` and `trace` when they are first read. */
export interface ServiceCallContext extends CallContext, RequestContext {
  readonly caller: Caller;
}

/** A list, or why there is none. The same array means an unchanged list: its JSON is kept. */
export type ListAnswer =
  | { readonly ok: true; readonly items: readonly JsonObject[] }
  | { readonly ok: false; readonly error: RpcError };

/** A result, passed on as it is, unknown keys included, or the error that the caller is answered with. */
export type ServiceAnswer =
  | {
      readonly ok: true;
      readonly result: JsonObject;
      /** JSON text of all members of `result` except `_meta`; it is written to the caller without being parsed. */
      readonly json?: string;
    }
  | { readonly ok: false; readonly error: RpcError };

/**
 * A call, its parameters checked: `name`, `uri` or `ref` and `argument` are there and of the right type, `arguments` is
 * an object or absent. They come without `_meta`, `inputResponses` and `requestState`, which the context carries.
 */
export interface ServiceCall {
  readonly method: CallMethod;
  readonly params: JsonObject;
}

/** What the face serves. It knows nothing of revisions, sessions or sockets. */
export interface McpService {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
  readonly capabilities: ServiceCapabilities;
  /** Answers a list at once; throws only on a bug, which the face answers with an internal error. */
  list(method: ListMethod, context: RequestContext): ListAnswer;
  /**
   * Answers a call, at once where it can. What does not exist is the service's to refuse.
   *
   * @returns the answer; throws or rejects only on a bug, which the face answers with an internal error
   */
  call(call: ServiceCall, context: ServiceCallContext): ServiceAnswer | Promise<ServiceAnswer>;
  /**
   * The input schema of a tool as this caller's list shows it; `undefined` where the caller has no such tool. A service leaves
   * this out when no tool of its own has arguments that travel as headers too (`x-mcp-header`).
   */
  inputSchema?(tool: string, context: RequestContext): JsonObject | undefined;
  /** Tells whenever a list may have changed for some client, until the returned function is called. */
  onListChanged?(listener: (list: 'tools' | 'resources' | 'prompts') => void): () => void;
  /** Follows one resource for a client, until `end` is called. */
  subscribe?(
    uri: string,
    onUpdated: (params: JsonObject) => void,
    context: RequestContext,
  ): Promise<
    | { readonly ok: true; readonly end: () => void }
    | { readonly ok: false; readonly error: RpcError }
  >;
}
