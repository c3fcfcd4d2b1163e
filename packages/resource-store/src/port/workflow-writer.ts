import type { Workflow } from '@gateway/crd-schemas';
import type { ResourceKey } from './resource-key.ts';
import type { WriteResult } from './write-result.ts';

/**
 * Writes workflows atomically. Writes of one key run one after the other. Never rejects.
 *
 * @spec §1.5
 */
export interface WorkflowWriter {
  /** Creates a workflow; never replaces one. */
  readonly create: (workflow: Workflow) => Promise<WriteResult>;
  /**
   * Replaces `spec`, and sets the labels and annotations of the workflow. Preserves other metadata, and comments and the order of keys where
   * the backend has them.
   */
  readonly replace: (workflow: Workflow) => Promise<WriteResult>;
  /** Deletes a workflow, valid or not. */
  readonly remove: (key: ResourceKey) => Promise<WriteResult>;
}
