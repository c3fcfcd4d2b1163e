import type { Members } from '@gateway/process-link';
import type { ResourceKey, WriteResult } from '@gateway/resource-store';
import type { ExecutionStore } from '../workflows/execution-store.ts';

/** The workflows and their runs, as workers reach them in the primary process. */
export interface WorkflowContract {
  /** Sends all workflows, then each change. */
  follow(listener: (change: WorkflowChange) => void): () => void;
  /** @param document of the resource */
  create(document: unknown): Promise<WriteResult>;
  /** @param document of the resource */
  replace(document: unknown): Promise<WriteResult>;
  remove(key: ResourceKey): Promise<WriteResult>;
  /** Logs a warning. */
  warn(text: string): void;
  readonly executions: Omit<ExecutionStore, 'close'>;
}

/** The names of all workflows in order, and the JSON texts of the changed ones. */
export interface WorkflowChange {
  readonly names: readonly string[];
  readonly changed: readonly string[];
}

/** Records of runs are dropped while so many characters of them wait to leave a process. Runs continue. */
const MAX_UNSENT_RECORDS = 64 * 1024 * 1024;

/** The members of {@link WorkflowContract} that are not requests. */
export const WORKFLOW_MEMBERS: Members<WorkflowContract> = {
  follow: { kind: 'subscription' },
  warn: { kind: 'notification' },
  executions: { record: { kind: 'notification', maxUnsent: MAX_UNSENT_RECORDS } },
};
