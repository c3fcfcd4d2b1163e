import type {
  CallContext,
  CallOutcome,
  CallResult,
  JsonObject,
  Principal,
} from '@gateway/call-contract';
import type {
  CatalogSnapshot,
  CatalogTool,
  ServerNaming,
  Thesaurus,
  ToolAnnotations,
  ToolSelection,
} from '@gateway/catalog';
import type { Toolset } from '@gateway/toolset-grammar';
import type { PresetSet } from '@gateway/preset-resolver';

/** The names of the meta-tools. @spec §1.1 */
export type MetaToolName =
  | 'list_tools'
  | 'filter_tools'
  | 'describe_tool'
  | 'list_core_tools'
  | 'call_tool'
  | 'list_resources'
  | 'filter_resources'
  | 'describe_resource'
  | 'get_resource'
  | 'list_prompts'
  | 'filter_prompts'
  | 'describe_prompt'
  | 'get_prompt';

/** A meta-tool as `tools/list` shows it; the same for every caller and every toolset. @spec §1.1, §4.2 */
export interface MetaToolDefinition {
  readonly name: MetaToolName;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

/** The toolset header, the principal and the session of a request. @spec §4.1 */
export interface ToolsetRequest {
  /** The values of the toolset header's lines, in order; `undefined` without the header: unscoped. @spec §4.1 */
  readonly toolsetHeader: readonly string[] | undefined;
  readonly principal: Principal;
  readonly sessionId: string | undefined;
}

/** One call of a meta-tool. It carries its own scope; nothing of it outlives the call. @spec §3, §4.1 */
export interface MetaToolRequest extends Pick<ToolsetRequest, 'toolsetHeader'> {
  readonly name: string;
  /** The arguments as received, unchecked. */
  readonly arguments: unknown;
  readonly context: CallContext;
}

/** The part of the catalog that a toolset selects. @spec §4.1 */
export interface ToolsetScope {
  readonly toolset: Toolset;
  readonly selection: ToolSelection;
  /** The selectors that select nothing, as given and in order. */
  readonly unmatched: readonly string[];
}

/** One refused `call_tool`, for one log line at info level. @spec §4.2 */
interface CallRefusal {
  /** The name as the caller gave it. */
  readonly tool: string;
  /** The toolset as texts print it: `[a,b]`. */
  readonly toolset: string;
  readonly call: CallContext;
}

/** Why an answer is refused because of the toolset. A bounded set, fit for a metric's label. @spec §7.1, §7.2 */
export type ToolsetRefusalReason =
  'empty' | 'too-many' | 'reserved' | 'label' | 'malformed' | 'unknown-preset' | 'outside';

/** A server that the caller could make available by signing in. */
export interface SignedOutServer extends ServerNaming {
  readonly labels?: Readonly<Record<string, string>>;
  /** The caller signed in before, and must do so again. */
  readonly status?: 'auth_required' | 'reauth_required';
}

/** A server that signs users in and that no token may be sent to. */
export interface ServerWithoutTokens extends SignedOutServer {
  readonly problem: string;
}

/** The tools that servers listed before they went down. */
export interface LastKnownTools {
  /** The catalog as if these servers were connected, without workflows and core tools. The same object while nothing changed. */
  readonly catalog: CatalogSnapshot;
  /** Returns the `status.state` of a server that is down; `undefined` for any other server. */
  findState(server: string): string | undefined;
}

/** The core tools that a caller may not call. They are in no listing, and a call is refused with the reason. */
export interface WithheldTools {
  /** The catalog of the caller with these tools. The same object while nothing changed. */
  readonly catalog: CatalogSnapshot;
  /** Returns why the caller may not call one of them. */
  findRefusal(name: string): string | undefined;
}

/** The settings of the search of `filter_tools`. */
export interface SearchPort {
  readonly thesaurus: Thesaurus;
  /**
   * Returns the candidates whose meanings are nearest to a query, best first; `undefined` while there is no such ranking. Never rejects.
   * Absent when the words of tools alone are searched.
   */
  readonly nearest?: (
    query: string,
    candidates: readonly CatalogTool[],
    signal: AbortSignal,
  ) => Promise<readonly CatalogTool[] | undefined>;
}

/** A resource of the gateway itself. It belongs to no server, so that no toolset hides it. */
export interface OwnResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly server?: undefined;
}

/** The beginning of the URI of a kept result. The rest is its id, which cannot be guessed. */
export const KEPT_RESULTS_URI = 'gateway://results/';

/** A part of a kept result: bytes of its text, or of the JSON at a path. */
export interface KeptResultPart {
  readonly uri: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** A `jsonPath`. @spec §2.7 */
  readonly path?: string | undefined;
}

/**
 * The dependencies of the meta-tools. `snapshot`, `presets`, `serversRequiringAuth`, `serversWithoutTokens`, `lastKnownTools`, `withheldTools` and `gatewayResources` read memory: a
 * meta-tool that answers about the catalog calls no other. Only `call_tool`, `get_resource` and `get_prompt` call the rest.
 */
export interface MetaToolPorts {
  /** The catalog of a principal. The same object while nothing changed, and for all who see the same. @spec §1.1, §2.6 auth */
  snapshot(principal: Principal): CatalogSnapshot;
  /** The presets in force. The same object while nothing changed. @spec §2.2, §2.3 */
  presets(): PresetSet;
  /** Returns the servers that the caller could make available by signing in, in any order. The same array while nothing changed. @spec §5.2 */
  serversRequiringAuth(principal: Principal): readonly SignedOutServer[];
  /** Returns the servers that no token may be sent to, with the reason. The same array while nothing changed. */
  serversWithoutTokens(): readonly ServerWithoutTokens[];
  /** Returns the tools of the servers that are down as the principal last saw them; `undefined` when there are none. @spec §7.2 */
  lastKnownTools(principal: Principal): LastKnownTools | undefined;
  /** Returns the core tools that `snapshot` hides from the principal, who may not call them; `undefined` for one who may call all. */
  withheldTools(principal: Principal): WithheldTools | undefined;
  /** Returns the resources of the gateway itself. The same array while nothing changed. */
  gatewayResources(): readonly OwnResource[];
  /** Returns the `contents` of a resource of the gateway itself for the caller. */
  readGatewayResource(uri: string, context: CallContext): Promise<readonly JsonObject[]>;
  /** Returns an address at which the caller signs in to a server; `undefined` when there is none. */
  signInLink(server: string, context: CallContext): Promise<string | undefined>;
  /** Returns whether arguments that do not fit the schema of a tool of this server are refused before the server is asked. Reads memory. */
  checksArguments(server: string): boolean;
  /** Calls a tool of a server by the server's own name for it. */
  callServerTool(
    call: { readonly server: string; readonly tool: string; readonly arguments: JsonObject },
    context: CallContext,
  ): Promise<CallOutcome>;
  /**
   * Returns the first part of a result that has more text than its server permits, and keeps the whole for the caller; returns any other
   * result unchanged and at once. A workflow has no server.
   */
  limitResult(
    result: CallResult,
    server: string | undefined,
    context: CallContext,
  ): CallResult | Promise<CallResult>;
  /** Returns the `contents` of a part of a kept result; `undefined` when the caller has no such result. */
  readKeptResult(part: KeptResultPart, context: CallContext): Promise<CallOutcome | undefined>;
  /** Calls one of the gateway's own tools. */
  callCoreTool(name: string, args: JsonObject, context: CallContext): Promise<CallOutcome>;
  /** Runs a workflow by the name of its execution tool, `workflow_<name>`; its steps are not scoped. @spec §4.2 */
  callWorkflow(name: string, args: JsonObject, context: CallContext): Promise<CallOutcome>;
  /** Reads a resource of a server. */
  readResource(
    read: { readonly server: string; readonly uri: string },
    context: CallContext,
  ): Promise<CallOutcome>;
  /** Gets a prompt of a server by the server's own name for it. */
  getPrompt(
    get: {
      readonly server: string;
      readonly prompt: string;
      readonly arguments: Readonly<Record<string, string>>;
    },
    context: CallContext,
  ): Promise<CallOutcome>;
  /** Called once for each `call_tool` that the toolset refuses. @spec §4.2 */
  onCallRefused(refusal: CallRefusal): void;
  /** Called once for each answer, of any meta-tool, that is refused because of the toolset. @spec §7.1, §7.2 */
  onToolsetRefusal(reason: ToolsetRefusalReason): void;
  /** The settings of the search. Default: the general thesaurus. */
  readonly search?: SearchPort;
  /** Logs one line about a problem that does not change the answer. */
  warn(text: string): void;
}
