import type { ExecutionListQuery } from '@gateway/workflow-engine';
import type { Answer, Ask } from './asking.ts';

/** What a worker tells and asks its primary about workflows. Values with keys of others' choice travel as JSON text. */
export type WorkflowsToPrimary =
  /** From now on the worker wants to know the workflows. */
  | { readonly kind: 'follow' }
  /** JSON of an `ExecutionRecord`. */
  | { readonly kind: 'record'; readonly json: string }
  /** A line for the log. */
  | { readonly kind: 'warn'; readonly text: string }
  | Ask<WorkflowQuestion>;

/** A question that the primary answers with JSON. */
export type WorkflowQuestion =
  /** `document` is JSON of the resource. */
  | { readonly kind: 'create' | 'replace'; readonly document: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'list'; readonly query: ExecutionListQuery }
  | { readonly kind: 'get'; readonly executionId: string };

/** What the primary tells a worker about workflows. */
export type WorkflowsToWorker =
  /** The names of all workflows in their order, and JSON of those that are not what the worker knows. */
  | {
      readonly kind: 'workflows';
      readonly names: readonly string[];
      readonly changed: readonly string[];
    }
  | ({ readonly kind: 'answer' } & Answer);
