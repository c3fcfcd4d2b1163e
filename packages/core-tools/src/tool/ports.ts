import type { CallContext, JsonObject, Principal } from '@gateway/call-contract';
import type {
  ExecutionRecord,
  McpServer,
  McpServerState,
  McpServerStatus,
  Workflow,
  WorkflowStatus,
} from '@gateway/crd-schemas';
import type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';
import type { EventsPort } from './events-port.ts';
import type { SignInPort } from './sign-in-port.ts';
import type { WritePermit } from './write-access.ts';
import type { ServerWriterPort, WorkflowWriterPort } from './writer-ports.ts';

/** The cause of the state `Failed` or `Auth Required`. */
export type FailureCode =
  | 'auth-required'
  | 'forbidden'
  | 'certificate'
  | 'command-not-found'
  | 'unreachable'
  | 'missing-value'
  | 'other';

/** One server with its definition and its present state. Times are milliseconds since the epoch. */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  /** The reason of the state: one line without secrets. */
  readonly reason?: string;
  /** The cause of the state, for programs. */
  readonly failureCode?: FailureCode;
  /** The last line of output of a starting server: one line without secrets. */
  readonly startProgress?: string;
  readonly toolsCount: number;
  /** The resources and prompts of a connected server; absent for any other. */
  readonly resourcesCount?: number;
  readonly promptsCount?: number;
  /** The number of processes for single clients; absent for any other server. */
  readonly instances?: number;
  /** The server was stopped on request, and does not start by itself. */
  readonly stopRequested?: true;
  readonly connectedAt?: number;
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
  /** The status of the resource. */
  readonly status?: McpServerStatus;
  /** The health of a server; absent while it is unknown. */
  readonly health?: ServerHealth;
  /** The tools whose declarations differ from the accepted ones, newest last. */
  readonly toolChanges?: readonly ToolChange[];
  /** The gaps in the lists of a connected server, one line each; absent when they are complete. */
  readonly listWarnings?: readonly string[];
  /** The tools and prompts that are not served because other servers hold their names. */
  readonly nameConflicts?: NameConflicts;
}

/** The tools and prompts of a server whose exposed names other servers hold. */
export interface NameConflicts {
  readonly total: number;
  readonly first: readonly {
    readonly kind: 'tool' | 'prompt';
    /** The exposed name. */
    readonly name: string;
    /** The holder as a sentence names it. */
    readonly heldBy: string;
  }[];
}

/** A definition that is not valid. */
export interface RefusedServer {
  readonly name: string;
  /** One line per problem, with its place; at least one. */
  readonly problems: readonly string[];
}

/** The health of a server. */
export type ServerHealth = 'unknown' | 'healthy' | 'degraded' | 'unhealthy' | 'checking';

/** A tool whose declaration differs from the accepted one. */
export interface ToolChange {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Time of the change in milliseconds since the epoch. */
  readonly at: number;
  /** The changed fields: `title`, `description`, `inputSchema`, `outputSchema`, `annotations`. */
  readonly fields: readonly string[];
  /** `readOnlyHint` changed from false or unset to true. */
  readonly hintWidened: boolean;
  /** The wider hint waits to be accepted. */
  readonly held: boolean;
}

/** The outcome of a start, stop or restart. */
export type ServiceOutcome =
  | { readonly kind: 'done' }
  /** The server was in the requested state already. */
  | { readonly kind: 'already' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly text?: string };

/** One workflow with the state of its resource. Times are milliseconds since the epoch. @spec §2.7 */
export interface WorkflowView {
  readonly name: string;
  readonly status: WorkflowStatus;
  /** Absent while the resource is not valid. */
  readonly workflow?: Workflow;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The YAML text of the resource. */
  readonly text: string;
}

/** The outcome of a configuration command. */
export type ConfigurationOutcome =
  /** `restart`: the keys whose new values take effect after a restart of the gateway. */
  | { readonly kind: 'done'; readonly restart?: readonly string[] }
  /** The resulting configuration is not valid; one line per problem. The previous configuration stays in force. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };

/** The commands that change `config.yaml`. */
export interface ConfigurationPort {
  /** Returns the part about the gateway's own endpoint and catalog. It may contain secrets, which the tools redact. */
  aggregator(): JsonObject | Promise<JsonObject>;
  /** Applies a JSON merge patch (RFC 7396) to that part. Changes that need no restart take effect; nothing is written. */
  update(patch: JsonObject): Promise<ConfigurationOutcome>;
  /** Writes the updated configuration to the file. */
  save(): Promise<ConfigurationOutcome>;
  /** Reads the file and the resource files again. */
  reload(): Promise<ConfigurationOutcome>;
}

/** An address that may be an MCP server. */
export interface DetectQuestion {
  readonly url: string;
  /** Sent with each request; never part of an answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The server at an address. `detail` is one line without secrets. */
export type DetectOutcome =
  | {
      readonly kind: 'found';
      readonly transport: 'streamable-http' | 'sse';
      readonly requiresAuth: boolean;
      readonly serverName?: string;
      readonly serverVersion?: string;
      readonly detail: string;
    }
  /** No server speaks the protocol at the address, or none answers. */
  | { readonly kind: 'none'; readonly detail: string }
  /** The address is not allowed. */
  | { readonly kind: 'refused'; readonly detail: string };

/** The outcome of accepting tool declarations. */
export type AcceptOutcome =
  /** `tools`: the tools that had changes. `unsaved`: the acceptance lasts until the gateway restarts. */
  | { readonly kind: 'done'; readonly tools: readonly string[]; readonly unsaved?: true }
  /** The server does not exist. */
  | { readonly kind: 'unknown' }
  /** The server has no such tools. Nothing was accepted. */
  | { readonly kind: 'unknown-tools'; readonly tools: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };

/** The stored runs of workflows. */
export interface ExecutionsPort {
  list(query: ExecutionListQuery): Promise<ExecutionListPage>;
  get(id: string): Promise<ExecutionRecord | undefined>;
}

/** The context of a call of a core tool. A core tool reads the members that it needs; each may be absent. */
export type CoreCallContext = Partial<CallContext>;

/** The availability of a workflow for a caller. */
export interface WorkflowAvailability {
  readonly available: boolean;
  /** The tools that are missing. */
  readonly missing: readonly string[];
}

/** A line that a stdio server wrote to stderr, without the secrets of its definition. */
export interface ServerLogLine {
  /** Increases by one with each line of the server. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly line: string;
}

/** The ports of the core tools. */
export interface CoreToolPorts {
  /** Decides which tools that write a principal may call. */
  readonly mayWrite: WritePermit;
  /** Decides whether a principal may see the runs of all persons, not only its own. */
  readonly seesAllRuns: (principal: Principal) => boolean;
  /** Returns whether the tools write definitions that name Secrets and ConfigMaps. */
  readonly permitsSecretReferences: () => boolean;
  /** Returns every defined server, started or not, in any order. */
  servers(): readonly ServerView[];
  /** Returns the servers whose definitions are not valid, with the problems. None of them is part of `servers`. */
  refusedServers(): readonly RefusedServer[];
  /** Returns the last lines of a server on stderr, oldest first. They may contain arguments of calls. */
  serverLog(name: string, limit: number): readonly ServerLogLine[];
  start(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  stop(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  restart(name: string, context: CoreCallContext): Promise<ServiceOutcome>;
  /** Returns the configuration in force. It may contain secrets, which the tools redact. */
  config(): JsonObject;
  /** Returns every workflow, invalid ones included, in any order. Reads memory only. */
  workflows(): readonly WorkflowView[];
  /** Returns whether all tools of the workflow's steps are in the caller's catalog, and which are missing. */
  workflowAvailability(name: string, context: CoreCallContext): WorkflowAvailability;
  readonly writeWorkflow: WorkflowWriterPort;
  readonly executions: ExecutionsPort;
  readonly writeServer: ServerWriterPort;
  readonly configuration: ConfigurationPort;
  /** JSON Schema of the object that `configuration.aggregator` returns. */
  readonly configurationSchema: JsonObject;
  /** Detects whether an address is an MCP server. Refuses addresses that are not allowed. */
  detect(question: DetectQuestion, signal: AbortSignal): Promise<DetectOutcome>;
  /** Accepts the present declarations of these tools, or of all. */
  acceptTools(name: string, tools?: readonly string[]): Promise<AcceptOutcome>;
  readonly events: EventsPort;
  readonly signIn: SignInPort;
  /** The API group of written resources; `gateway.internal` when absent. @spec §9.1 */
  readonly apiGroup?: string;
  /** Logs one line at level warn. */
  warn(text: string): void;
  /** The source of the definitions. */
  readonly mode: 'filesystem' | 'kubernetes';
}
