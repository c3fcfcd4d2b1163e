import type { WorkflowAvailability } from '@gateway/catalog';
import type {
  CallContext,
  JsonObject,
  Principal,
  ServerView,
  AcceptOutcome,
  DetectQuestion,
  DetectOutcome,
  RestrictedWrite,
  WriteOutcome,
  ServerWriteOutcome,
  ConfigurationOutcome,
} from '@gateway/call-contract';
import type { ExecutionRecord, Workflow, WorkflowStatus } from '@gateway/crd-schemas';
import type { EventQuery, StoredEvent } from '@gateway/events';
import type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';

/** The highest number of lines that are kept for a server. */
export const MAX_LOG_LINES = 500;

/** The stored events. */
export interface EventsPort {
  /** Returns the matching events, newest first. */
  query(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** Returns the time of the clock that stamps events, in milliseconds since the epoch. */
  now(): number;
  /** Calls back for every new event, in order. Returns the function that removes the listener. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
}

/** The state of a user at a server that users sign in to. It is not the state of the resource. @spec §2.6 */
export type SignInStatus =
  | 'connected'
  | 'auth_required'
  | 'reauth_required'
  | 'sso_pending'
  | 'unreachable'
  | 'disconnected'
  | 'error'
  | 'failed';

/** One user's sign-in to one server. */
export interface SignInState {
  readonly server: string;
  readonly status: SignInStatus;
  /** The gateway connects the user by itself, with the sign-in to the gateway. */
  readonly isAutomatic: boolean;
  /** The reason of the status: one line without secrets. */
  readonly reason?: string;
  /** The gaps in the lists of the user's connection, one line each; absent when they are complete. */
  readonly listWarnings?: readonly string[];
  /** The authorization server that the user signs in at; absent while it is unknown. */
  readonly issuer?: string;
  /** The scopes of the sign-in, separated by spaces. */
  readonly scope?: string;
}

/** The outcome of a sign-in to a server. Reasons are one line without secrets. */
export type LoginOutcome =
  /** The user was connected already, with all scopes that the server has required. */
  | { readonly kind: 'signed-in' }
  /** The user is connected now. */
  | { readonly kind: 'connected'; readonly toolsCount: number }
  /** The user signs in at this address. */
  | {
      readonly kind: 'challenge';
      readonly url: string;
      /** Identifies the started sign-in; it admits nothing. */
      readonly id: string;
      readonly status: string;
    }
  /** The gateway has no address that a browser can reach. `remedy` is a sentence. */
  | { readonly kind: 'not-configured'; readonly remedy: string }
  /** The server does not name its authorization server. `problem` is what it answers instead. */
  | { readonly kind: 'no-metadata'; readonly problem?: string }
  /** The sign-in succeeded, but not the connection. */
  | { readonly kind: 'connect-failed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'rate-limited';
      /** Attempts that a user may make in a minute. */
      readonly limit: number;
      readonly remaining: number;
      readonly retryAfterSeconds: number;
    };

/** The outcome of a sign-out from a server. */
export type LogoutOutcome =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'not-signed-in' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Signs users in to servers. @spec §5 */
export interface SignInPort {
  /** Returns the user's own state at a server; `undefined` for a server that all users share. Reads memory. */
  findState(server: string, principal: Principal): SignInState | undefined;
  login(server: string, principal: Principal): Promise<LoginOutcome>;
  logout(server: string, principal: Principal): Promise<LogoutOutcome>;
  /** Resolves with `true` when the browser completed a started sign-in, with `false` when it expired or failed. Never rejects. */
  waitForCompletion(id: string): Promise<boolean>;
}

/** The start of one server, as a gateway starts it. Durations are in milliseconds. */
export interface ServerProbe {
  readonly name: string;
  readonly outcome: 'started' | 'auth-required' | 'failed';
  readonly durationMs: number;
  /** Why the server did not start: one line without secrets. */
  readonly reason?: string;
  /** The command does not exist. */
  readonly isCommandMissing: boolean;
  /** A value that the definition names, such as an environment variable, does not exist or cannot be used. */
  readonly isValueMissing: boolean;
  readonly protocolVersion?: string;
  /** The name and the version that the server reports. */
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly toolsCount: number;
}

/** Writes workflows to their store, atomically. */
export interface WorkflowWriterPort {
  create(workflow: Workflow): Promise<WriteOutcome>;
  /** Replaces the whole `spec`. */
  replace(workflow: Workflow): Promise<WriteOutcome>;
  remove(name: string): Promise<WriteOutcome>;
}

/** Writes servers to their store, atomically. @spec §2.6 */
export interface ServerWriterPort {
  /** Creates the complete resource: `apiVersion`, `kind`, `metadata`, `spec`. */
  create(document: JsonObject): Promise<ServerWriteOutcome>;
  /**
   * Applies a JSON merge patch (RFC 7396) to `spec`: `null` removes, lists are replaced. With `keepsDestination`, a change of where values of
   * Secrets and ConfigMaps are sent is refused, whatever the state of the definition.
   */
  patch(
    name: string,
    specPatch: JsonObject,
    limits: { readonly keepsDestination: boolean },
  ): Promise<ServerWriteOutcome | RestrictedWrite>;
  remove(name: string): Promise<ServerWriteOutcome>;
}

/** The effect of a core tool that writes: it changes definitions of workflows, or anything else of the gateway. */
export type WriteEffect = 'workflows' | 'gateway';

/** Decides whether a principal may call core tools with an effect. */
export type WritePermit = (principal: Principal, effect: WriteEffect) => boolean;

const REMEDIES: Readonly<Record<WriteEffect, string>> = {
  workflows: '"coreTools.writes: workflows" or "coreTools.writes: all"',
  gateway: '"coreTools.writes: all"',
};

/** Returns the sentence that refuses the output of servers. */
export const logRefusalText = ({ issuer }: Principal): string =>
  issuer === undefined
    ? `the output of servers is shown only where core tools may change the gateway, because it may contain arguments of other callers; the operator can permit both with ${REMEDIES.gateway} in config.yaml`
    : 'the output of servers is shown only to callers with the scope mcp:admin or a group of "auth.adminGroups" in config.yaml, because it may contain arguments of other callers';

/** Returns the sentence that refuses a core tool that writes. */
export const writeRefusalText = (
  tool: string,
  effect: WriteEffect,
  { issuer }: Principal,
): string =>
  issuer === undefined
    ? `${tool} is refused because it changes the gateway; the operator can permit it with ${REMEDIES[effect]} in config.yaml`
    : `${tool} is refused because it changes the gateway; it needs the scope mcp:admin or a group of "auth.adminGroups" in config.yaml`;

/** A definition that is not valid. */
export interface RefusedServer {
  readonly name: string;
  /** One line per problem, with its place; at least one. */
  readonly problems: readonly string[];
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

/** The stored runs of workflows. */
export interface ExecutionsPort {
  list(query: ExecutionListQuery): Promise<ExecutionListPage>;
  get(id: string): Promise<ExecutionRecord | undefined>;
}

/** The kinds of rows that a report about usage can have. */
export const USAGE_SUBJECTS = ['tool', 'toolset', 'user'] as const;

/** The calls of tools that a report is about. */
export interface UsageQuery {
  readonly hours: number;
  readonly by: (typeof USAGE_SUBJECTS)[number];
  readonly tool?: string | undefined;
  readonly toolset?: string | undefined;
  /** A subject or an e-mail address. */
  readonly user?: string | undefined;
  /** The key of the only principal whose calls are counted. */
  readonly principalKey?: string | undefined;
}

/** Sums of calls. Without calls there is no `lastAt` and no `p95Ms`. */
export interface UsageSums {
  readonly calls: number;
  readonly errors: number;
  readonly resultBytes: number;
  /** The end of the last call, in milliseconds since the epoch. */
  readonly lastAt?: number;
  /** 95 % of the calls took at most this long. */
  readonly p95Ms?: number;
}

/** The calls of a tool; under a toolset, without one, or of the steps of a workflow; or of a user. */
export interface UsageRow extends UsageSums {
  readonly tool?: string;
  readonly toolset?: string;
  readonly workflow?: string;
  readonly user?: string;
  readonly issuer?: string;
  readonly email?: string;
}

/** Sums of the calls of a period, in milliseconds since the epoch. Rows have most calls first. */
export interface UsageReport {
  readonly since: number;
  readonly until: number;
  readonly total: UsageSums;
  readonly rows: readonly UsageRow[];
}

/** The counted calls of tools. */
export interface UsagePort {
  query(query: UsageQuery): Promise<UsageReport>;
}

/** The context of a call of a core tool. A core tool reads the members that it needs; each may be absent. */
export type CoreCallContext = Partial<CallContext>;

/** A line that a stdio server wrote to stderr, without the secrets of its definition. */
export interface ServerLogLine {
  /** Increases by one with each line of the server. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly line: string;
}

/** A server as the core tools show it. Without health checks, the health follows from the state. */
export type ServerEntry = Omit<ServerView, 'health' | 'status'> &
  Partial<Pick<ServerView, 'health' | 'status'>>;

/** The requests of a server or a tool, and the refusals of its limits since the start. */
export interface TargetLoad {
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
  /** Absent without `limits.breaker`. */
  readonly breaker?: {
    readonly state: 'closed' | 'open' | 'half-open';
    /** Milliseconds since the epoch; only while it is open. */
    readonly nextAttemptAt?: number;
  };
}

/** The requests of a server, and of its tools with limits of their own. */
export interface RequestLoad extends TargetLoad {
  readonly tools: readonly (TargetLoad & { readonly tool: string })[];
}

export interface CoreToolPorts {
  /** Decides which tools that write a principal may call. */
  readonly mayWrite: WritePermit;
  /** Decides whether a principal may see the runs of all users, not only its own. */
  readonly seesAllRuns: (principal: Principal) => boolean;
  /** Returns whether the tools write definitions that name Secrets and ConfigMaps. */
  readonly permitsSecretReferences: () => boolean;
  /** Returns every defined server, started or not, in any order. */
  servers(): readonly ServerEntry[];
  /** Returns the servers whose definitions are not valid, with the problems. None of them is part of `servers`. */
  refusedServers(): readonly RefusedServer[];
  /** Returns the present requests of a server; `undefined` for a server that is not defined. */
  requestLoad(name: string): RequestLoad | undefined;
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
  readonly usage: UsagePort;
  readonly signIn: SignInPort;
  /** The API group of written resources; `gateway.internal` when absent. @spec §9.1 */
  readonly apiGroup?: string;
  /** Logs one line at level warn. */
  warn(text: string): void;
  /** The source of the definitions. */
  readonly mode: 'filesystem' | 'kubernetes';
}
