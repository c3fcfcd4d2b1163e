import type { Workflow } from '@gateway/crd-schemas';
import type { FileWriteResult } from './write-result.ts';

/** How a write ended. */
export type WorkflowWriteResult = FileWriteResult;

/**
 * Writes the files under `workflows/`, whole files only: whatever happens, a file is the old one or the new one. Writes
 * of one name happen one after the other. Never rejects.
 *
 * @spec §1.5
 */
export interface WorkflowWriter {
  /** Writes a new file; never over one that is there. */
  readonly create: (workflow: Workflow) => Promise<WorkflowWriteResult>;
  /**
   * Makes `spec` say this. Everything else in the file stays: what is the same in `spec`, comments, the order of keys, labels and
   * annotations. Labels and annotations that the workflow carries are set.
   */
  readonly replace: (workflow: Workflow) => Promise<WorkflowWriteResult>;
  /** Deletes the file, valid or not. */
  readonly remove: (name: string) => Promise<WorkflowWriteResult>;
}
