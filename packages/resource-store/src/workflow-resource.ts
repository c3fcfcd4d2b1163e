import type { Workflow, WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceProblem } from './resource-problem.ts';

/** What a file under `workflows/` says, whether or not it can be used. Immutable. @spec §1.5, §2.7 */
export type WorkflowResource = {
  /** The file's basename, which a valid resource carries too. */
  readonly name: string;
  readonly file: string;
  /** The file's text; empty when it could not be read. */
  readonly text: string;
  /** Milliseconds since 1970: `metadata.creationTimestamp` where the file has it, else the file's own birth. */
  readonly createdAt: number;
  /** Milliseconds since 1970, of this text. */
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
} & (
  | {
      readonly valid: true;
      /** Keeps its identity while the resource says the same, whatever happens to comments and layout. */
      readonly workflow: Workflow;
      /** What is deprecated or without effect, one line each. */
      readonly warnings: readonly string[];
    }
  | { readonly valid: false; readonly problems: readonly ResourceProblem[] }
);
