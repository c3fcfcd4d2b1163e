import type { CallMethod, ListMethod } from '@gateway/mcp-wire';
import type {
  CallContext,
  Caller,
  CallResult,
  JsonObject,
  Principal,
  RpcError,
} from '@gateway/call-contract';
import type { HeaderReader } from './client-message.ts';

/** The capabilities of a service, exactly as clients receive them. A method whose capability is absent is an unknown method. */
export interface ServiceCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly completions?: Readonly<Record<string, never>>;
  readonly logging?: Readonly<Record<string, never>>;
}

/** The principal, the session and the headers of a request. */
export interface RequestContext {
  /** The party that the credentials of the request name. */
  readonly principal: Principal;
  /** The session's id; `undefined` for a request without a session. */
  readonly sessionId: string | undefined;
  /** Values of a request header in the order of its lines, by lower-case name; absent header: `undefined`. */
  readonly header: HeaderReader;
}

/** The context of a call together with its request. The endpoint creates `signal`, `caller` and `trace` when they are first read. */
export interface ServiceCallContext extends CallContext, RequestContext {
  readonly caller: Caller;
}

/** A list, or the error of its request. The same array means an unchanged list: its JSON is cached. */
type ListAnswer =
  | { readonly ok: true; readonly items: readonly JsonObject[] }
  | { readonly ok: false; readonly error: RpcError };

/** A result, passed on unchanged, unknown keys included, or the error that the caller receives. */
export type ServiceAnswer =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly error: RpcError };

/**
 * A call, its parameters checked: `name`, `uri` or `ref` and `argument` are there and of the right type, `arguments` is
 * an object or absent. They come without `_meta`, `inputResponses` and `requestState`, which the context carries.
 */
export interface ServiceCall {
  readonly method: CallMethod;
  readonly params: JsonObject;
}

/** The scopes that a call needs beyond those of its credentials. */
interface MissingScopes {
  readonly scopes: readonly string[];
  /** The refusal in one sentence. */
  readonly sentence: string;
}

/** A service that an endpoint serves. It is independent of revisions, sessions and sockets. */
export interface McpService {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
  readonly capabilities: ServiceCapabilities;
  /** Returns a list synchronously; throws only on a bug, which the caller receives as an internal error. */
  list(method: ListMethod, context: RequestContext): ListAnswer;
  /**
   * Answers a call, synchronously where it can. The service refuses names that do not exist. @returns the answer; throws or
   * rejects only on a bug, which the caller receives as an internal error
   */
  call(call: ServiceCall, context: ServiceCallContext): ServiceAnswer | Promise<ServiceAnswer>;
  /**
   * Names of the request headers, in lower case, that decide what a request may do. A request that continues in another process
   * takes only these along.
   */
  readonly scopeHeaders?: readonly string[];
  /** Returns why the headers of a request are refused, whatever it requests; `undefined` where they are valid. Starts nothing. */
  refuseHeaders?(context: RequestContext): RpcError | undefined;
  /**
   * Returns the answer to a call that the headers of this request do not admit now; `undefined` where they admit it. Starts
   * nothing. The endpoint asks before a request continues a call, or receives messages, that another request has started.
   */
  refuseCall?(call: ServiceCall, context: RequestContext): ServiceAnswer | undefined;
  /**
   * Returns the scopes that a call needs and the credentials of its request lack; `undefined` where they suffice. Starts nothing.
   * The endpoint asks before a call starts and before it continues, and answers 403 `insufficient_scope`. RFC 6750 §3.1
   */
  missingScopes?(call: ServiceCall, context: RequestContext): MissingScopes | undefined;
  /**
   * Returns the input schema of a tool as this caller's list shows it; `undefined` where the caller has no such tool. A service
   * omits this method when none of its tools has arguments that are repeated as headers (`x-mcp-header`).
   */
  inputSchema?(tool: string, context: RequestContext): JsonObject | undefined;
  /**
   * Returns a text that differs when what a caller reaches through the tools differs while the list is the same, as with tools that
   * call other tools. The endpoint announces it like a change of the list.
   */
  reachableTools?(context: RequestContext): string;
  /**
   * Calls the listener whenever a list may have changed for some client, until the returned function is called. `principalKeys` are
   * the callers whose lists may have changed; all when absent.
   */
  onListChanged?(
    listener: (
      list: 'tools' | 'resources' | 'prompts',
      principalKeys?: ReadonlySet<string>,
    ) => void,
  ): () => void;
  /** Called when a session has ended in this process, with the name of its client ({@link Caller.client}). Must not throw. */
  clientEnded?(client: string): void;
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
