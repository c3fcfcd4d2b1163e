import type { McpServer, McpServerState, McpServerStatus } from '@gateway/crd-schemas';

/**
 * The cause of a failed attempt or a lost connection.
 *
 * - `auth-required`: the server answered HTTP 401. @spec §5.2
 * - `forbidden`: the server answered HTTP 403.
 * - `certificate`: the TLS handshake failed.
 * - `command-not-found`: the executable of a stdio server does not exist.
 * - `unreachable`: no endpoint or working directory exists, or the executable cannot be run.
 * - `missing-value`: a value of `envFrom` or `headersFrom` does not exist; only a change of it can help.
 * - `other`: any other cause; only the reason describes it.
 */
export type FailureCode =
  | 'auth-required'
  | 'forbidden'
  | 'certificate'
  | 'command-not-found'
  | 'unreachable'
  | 'missing-value'
  | 'other';

/**
 * The health of a server. `checking`: an attempt to connect is in progress. `degraded`: the last health checks failed, but fewer in a row
 * than make a server unhealthy. `unknown`: the server does not run.
 */
export type ServerHealth = 'unknown' | 'checking' | 'healthy' | 'degraded' | 'unhealthy';

/** The optional features of a server. */
export interface ServerFeatures {
  readonly completions: boolean;
  readonly resourceSubscriptions: boolean;
  readonly logging: boolean;
}

/** A tool whose declaration differs from the accepted one. */
export interface ToolChange {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Time of the last change in milliseconds since the epoch. */
  readonly at: number;
  /** The fields that changed since the last acceptance, even when they were changed back: `title`, `description`, `inputSchema`, `outputSchema`, `annotations`. */
  readonly fields: readonly string[];
  /** `readOnlyHint` is true and the accepted hint is false or unset. */
  readonly hintWidened: boolean;
  /** The catalog uses the accepted `readOnlyHint` until the new one is accepted. */
  readonly held: boolean;
}

/** A name that a server does not serve because another owner holds it. */
export interface NameConflict {
  readonly kind: 'tool' | 'prompt';
  /** The exposed name. */
  readonly name: string;
  /** The holder as a sentence names it, for example `server "files"`. */
  readonly heldBy: string;
}

/** The conflicts of a server. */
export interface NameConflicts {
  readonly total: number;
  /** The first 20. */
  readonly first: readonly NameConflict[];
}

/** The present view of one server. Times are milliseconds since the epoch. @spec §2.6 status.state */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  readonly health: ServerHealth;
  /** The `status` of the resource. The same object while it is unchanged. */
  readonly status: McpServerStatus;
  /** The reason of `Failed` or `Auth Required`: one line without secrets. */
  readonly reason?: string;
  /** The cause of `Failed` or `Auth Required`, for programs. */
  readonly failureCode?: FailureCode;
  /** The server was stopped on request, and does not start by itself. */
  readonly stopRequested?: true;
  /** The last line of output of a starting stdio server: one line without secrets. */
  readonly startProgress?: string;
  /** The first attempt of this process, or one after a failure, is in progress. Absent otherwise, also during a requested start. */
  readonly isTrying?: true;
  readonly toolsCount: number;
  /** The resources of a connected server, templates not counted. */
  readonly resourcesCount?: number;
  /** The prompts of a connected server. */
  readonly promptsCount?: number;
  /** The number of connections of client sessions; absent for a server without `instances: perSession`. */
  readonly instances?: number;
  readonly connectedAt?: number;
  /** The number of the connection, unique within the process. Absent when the server is not connected. */
  readonly connectionId?: number;
  /** Consecutive failures, each followed by an automatic restart; a stable connection resets it. */
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
  /** The features of a connected server besides its lists. */
  readonly features?: ServerFeatures;
  /** The gaps in the lists of a connected server, one line each without secrets; absent when they are complete. */
  readonly listWarnings?: readonly string[];
  /** The tools and prompts that are not served because other servers hold their names; absent without any. */
  readonly nameConflicts?: NameConflicts;
  /** The tools whose declarations differ from the accepted ones, newest last, at most 100; absent without any. */
  readonly toolChanges?: readonly ToolChange[];
}
