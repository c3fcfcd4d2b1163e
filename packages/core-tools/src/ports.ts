import type { JsonObject } from '@gateway/catalog';
import type {
  ExecutionRecord,
  McpServer,
  McpServerState,
  Workflow,
  WorkflowStatus,
} from '@gateway/crd-schemas';
import type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';

/** One server as it is defined and as it is found. Times are milliseconds since the epoch. */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  /** Why the server is in this state, as one line without secrets. */
  readonly reason?: string;
  readonly toolsCount: number;
  readonly connectedAt?: number;
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
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

/** The runs that are remembered. */
export interface ExecutionsPort {
  list(query: ExecutionListQuery): Promise<ExecutionListPage>;
  get(id: string): Promise<ExecutionRecord | undefined>;
}

/** What accompanies a call of a core tool. */
export interface CoreCallOptions {
  readonly session?: string | undefined;
  readonly signal?: AbortSignal;
}

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
  start(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  stop(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  restart(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  /** The configuration in force. It may hold secrets: the tools take them out. */
  config(): JsonObject;
  /** Every workflow, broken ones too, in any order. Reading it costs nothing. */
  workflows(): readonly WorkflowView[];
  /** Whether every tool that the workflow's steps need is in the caller's catalog, and which are not. */
  workflowAvailability(name: string, options: CoreCallOptions): WorkflowAvailability;
  readonly writeWorkflow: WorkflowWriterPort;
  readonly executions: ExecutionsPort;
  /** The API group of written workflows; `gateway.internal` when absent. @spec §9.1 */
  readonly apiGroup?: string;
  /** One line for the log, at warn level. */
  warn(text: string): void;
  /** Where definitions come from. */
  readonly mode: 'filesystem' | 'kubernetes';
}
