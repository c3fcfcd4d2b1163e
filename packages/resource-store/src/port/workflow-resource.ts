import type { Workflow, WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceProblem } from './resource-problem.ts';

interface WorkflowFacts {
  readonly name: string;
  /** The origin of the resource, for messages. */
  readonly source: string;
  /** The resource as YAML; empty when it could not be read, or is no workflow. */
  readonly text: string;
  /** Milliseconds since 1970; 0 when unknown. `metadata.creationTimestamp`, else the time when the resource was first stored. */
  readonly createdAt: number;
  /** The time of this version, in milliseconds since 1970; 0 when unknown. */
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
}

/** A valid workflow. */
export interface ValidWorkflow extends WorkflowFacts {
  readonly valid: true;
  /** Keeps its identity while the content is equal, whatever its comments and layout. */
  readonly workflow: Workflow;
  /** Deprecated and ineffective parts, one line each. */
  readonly warnings: readonly string[];
}

/** A workflow that cannot be used. */
export interface InvalidWorkflow extends WorkflowFacts {
  readonly valid: false;
  /** Never empty. */
  readonly problems: readonly ResourceProblem[];
}

/** A workflow as it is stored, valid or not. Immutable. @spec §1.5, §2.7 */
export type WorkflowResource = ValidWorkflow | InvalidWorkflow;
