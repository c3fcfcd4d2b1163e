import type { CallContext, JsonObject } from '@gateway/call-contract';
import type {
  ExecutionRecord,
  McpServer,
  McpServerState,
  McpServerStatus,
  Workflow,
  WorkflowStatus,
} from '@gateway/crd-schemas';
import type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';
import type { EventsPort } from './events/events-port.ts';

/** The cause of the state `Failed` or `Auth Required`. */
export type FailureCode =
  'auth-required' | 'forbidden' | 'certificate' | 'command-not-found' | 'unreachable' | 'other';

/** One server as it is defined and as it is found. Times are milliseconds since the epoch. */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  /** Why the server is in this state, as one line without secrets. */
  readonly reason?: string;
  /** The same for programs. */
  readonly failureCode?: FailureCode;
  readonly toolsCount: number;
  readonly connectedAt?: number;
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
  /** The status of the resource. */
  readonly status?: McpServerStatus;
  /** How well a server is that may be connected; absent while nobody looked. */
  readonly health?: ServerHealth;
  /** What the server declares otherwise than what is accepted, newest last. */
  readonly toolChanges?: readonly ToolChange[];
}

/** A definition that cannot be used. */
export interface RefusedServer {
  readonly name: string;
  /** One line each, with the place; never none. */
  readonly problems: readonly string[];
}

/** How well a server is. */
export type ServerHealth = 'unknown' | 'healthy' | 'degraded' | 'unhealthy' | 'checking';

/** A tool of which its server does not say any more what was accepted. */
export interface ToolChange {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** When it was seen, in milliseconds since the epoch. */
  readonly at: number;
  /** What differs: of `title`, `description`, `inputSchema`, `outputSchema`, `annotations`. */
  readonly fields: readonly string[];
  /** Whether `readOnlyHint` turned from false or unset to true. */
  readonly hintWidened: boolean;
  /** Whether the wider hint waits to be accepted. */
  readonly held: boolean;
}

/** What became of an order to start, stop or restart a server. */
export type ServiceOutcome =
  | { readonly kind: 'done' }
  /** Nothing had to be done. */
  | { readonly kind: 'already' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly text?: string };

/** One workflow as its resource stands. Times are milliseconds since the epoch. @spec §2.7 */
export interface WorkflowView {
  readonly name: string;
  readonly status: WorkflowStatus;
  /** Absent while the resource is not valid. */
  readonly workflow?: Workflow;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The resource as it is written, YAML. */
  readonly text: string;
}

/** What became of an order to write a workflow. Once `done`, `workflows()` shows it. */
export type WriteOutcome =
  | { readonly kind: 'done' }
  /** There is one of this name already. */
  | { readonly kind: 'exists' }
  /** There is none of this name. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly text: string };

/** Writes workflows to where they are kept: a writer never leaves half of one behind. */
export interface WorkflowWriterPort {
  create(workflow: Workflow): Promise<WriteOutcome>;
  /** Replaces `spec` whole. */
  replace(workflow: Workflow): Promise<WriteOutcome>;
  remove(name: string): Promise<WriteOutcome>;
}

/** What became of an order to write a server. Once `done`, `servers()` shows it within a second. */
export type ServerWriteOutcome =
  | WriteOutcome
  /** The definition that would result breaks rules; one line for each. Nothing was written. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] };

/** Writes servers to where they are kept: a writer never leaves half of one behind. @spec §2.6 */
export interface ServerWriterPort {
  /** Takes the whole resource: `apiVersion`, `kind`, `metadata`, `spec`. */
  create(document: JsonObject): Promise<ServerWriteOutcome>;
  /** Merges the patch into `spec` as RFC 7396 says: `null` removes, lists are replaced whole. */
  patch(name: string, specPatch: JsonObject): Promise<ServerWriteOutcome>;
  remove(name: string): Promise<ServerWriteOutcome>;
}

/** What became of an order about the configuration. */
export type ConfigurationOutcome =
  /** `restart`: the keys whose new values wait for a restart of the gateway. */
  | { readonly kind: 'done'; readonly restart?: readonly string[] }
  /** The configuration that would result breaks rules; one line for each. What was in force stays. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };

/** Orders about `config.yaml`. */
export interface ConfigurationPort {
  /** The part about the gateway's own endpoint and catalog. It may hold secrets: the tools take them out. */
  aggregator(): JsonObject | Promise<JsonObject>;
  /** Merges the patch into that part as RFC 7396 says. What can take effect without a restart does; nothing is written. */
  update(patch: JsonObject): Promise<ConfigurationOutcome>;
  /** Writes what was updated to the file. */
  save(): Promise<ConfigurationOutcome>;
  /** Reads the file and the resource files again. */
  reload(): Promise<ConfigurationOutcome>;
}

/** An address that may be an MCP server. */
export interface DetectQuestion {
  readonly url: string;
  /** Sent with each request; never shown in an answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** What stands at an address. `detail` is one line without secrets. */
export type DetectOutcome =
  | {
      readonly kind: 'found';
      readonly transport: 'streamable-http' | 'sse';
      readonly requiresAuth: boolean;
      readonly serverName?: string;
      readonly serverVersion?: string;
      readonly detail: string;
    }
  /** Nothing there speaks the protocol, or nobody answers. */
  | { readonly kind: 'none'; readonly detail: string }
  /** The address must not be asked. */
  | { readonly kind: 'refused'; readonly detail: string };

/** What became of an order to accept what a server declares of its tools. */
export type AcceptOutcome =
  /** `tools`: those that were not accepted before. `unsaved`: it holds until the gateway restarts. */
  | { readonly kind: 'done'; readonly tools: readonly string[]; readonly unsaved?: true }
  /** There is no such server. */
  | { readonly kind: 'unknown' }
  /** Nothing is known of these tools of the server. Nothing was accepted. */
  | { readonly kind: 'unknown-tools'; readonly tools: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };

/** The runs that are remembered. */
export interface ExecutionsPort {
  list(query: ExecutionListQuery): Promise<ExecutionListPage>;
  get(id: string): Promise<ExecutionRecord | undefined>;
}

/** The context of a call of a core tool. A core tool reads the members that it needs; each may be absent. */
export type CoreCallContext = Partial<CallContext>;

/** Whether a workflow can run for a caller. */
export interface WorkflowAvailability {
  readonly available: boolean;
  /** The tools that it lacks. */
  readonly missing: readonly string[];
}

/** Everything the core tools need of the world. */
export interface CoreToolPorts {
  /** Every defined server, started or not, in any order. */
  servers(): readonly ServerView[];
  /** The servers that are defined so that they cannot be used, each with why. None of them is among `servers`. */
  refusedServers(): Promise<readonly RefusedServer[]>;
  start(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  stop(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  restart(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  /** The configuration in force. It may hold secrets: the tools take them out. */
  config(): JsonObject;
  /** Every workflow, broken ones too, in any order. Reading it costs nothing. */
  workflows(): readonly WorkflowView[];
  /** Whether every tool that the workflow's steps need is in the caller's catalog, and which are not. */
  workflowAvailability(name: string, context: CoreCallContext): WorkflowAvailability;
  readonly writeWorkflow: WorkflowWriterPort;
  readonly executions: ExecutionsPort;
  readonly writeServer: ServerWriterPort;
  readonly configuration: ConfigurationPort;
  /** Asks an address whether it is an MCP server, and never one that must not be asked. */
  detect(question: DetectQuestion, signal: AbortSignal): Promise<DetectOutcome>;
  /** Accepts what a server declares of these tools, or of all. */
  acceptTools(name: string, tools?: readonly string[]): Promise<AcceptOutcome>;
  readonly events: EventsPort;
  /** The API group of written resources; `gateway.internal` when absent. @spec §9.1 */
  readonly apiGroup?: string;
  /** One line for the log, at warn level. */
  warn(text: string): void;
  /** Where definitions come from. */
  readonly mode: 'filesystem' | 'kubernetes';
}
