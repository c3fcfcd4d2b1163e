import type { Workflow, WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceProblem } from './resource-problem.ts';

interface WorkflowFile {
  /** The file's basename, which a valid resource carries too. */
  readonly name: string;
  readonly file: string;
  /** The file's text; empty when it could not be read. */
  readonly text: string;
  /**
   * Milliseconds since 1970: `metadata.creationTimestamp` where the file has it, else the birth of the first file that
   * was seen; 0 when the file could not be opened.
   */
  readonly createdAt: number;
  /** Milliseconds since 1970, of this text; 0 when the file could not be opened. */
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
}

/** A workflow file that can be used. */
export interface ValidWorkflow extends WorkflowFile {
  readonly valid: true;
  /** Keeps its identity while the resource says the same, whatever happens to comments and layout. */
  readonly workflow: Workflow;
  /** What is deprecated or without effect, one line each. */
  readonly warnings: readonly string[];
}

/** A workflow file that cannot be used. */
export interface InvalidWorkflow extends WorkflowFile {
  readonly valid: false;
  /** Never empty. */
  readonly problems: readonly ResourceProblem[];
}

/** What a file under `workflows/` says, whether or not it can be used. Immutable. @spec §1.5, §2.7 */
export type WorkflowResource = ValidWorkflow | InvalidWorkflow;
