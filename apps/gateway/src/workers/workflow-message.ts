import type { ExecutionListQuery } from '@gateway/workflow-engine';

/** What a worker tells and asks its primary about workflows. Values with keys of others' choice travel as JSON text. */
export type WorkflowsToPrimary =
  /** From now on the worker wants to know the workflows. */
  | { readonly kind: 'follow' }
  /** JSON of an `ExecutionRecord`. */
  | { readonly kind: 'record'; readonly json: string }
  /** A line for the log. */
  | { readonly kind: 'warn'; readonly text: string }
  | { readonly kind: 'ask'; readonly id: number; readonly question: WorkflowQuestion };

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
  /** `json` is absent when there is nothing to be told; `error` is why there is no answer. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly json?: string;
      readonly error?: string;
    };
