import type { McpServer } from '@gateway/crd-schemas';
import type { ResourceProblem } from './resource-problem.ts';
import type { WorkflowResource } from './workflow-resource.ts';
import type { DocumentPath, Position } from '@gateway/durable-files';

/** `config.yaml` as data, for its owner to check. */
export interface ConfigDocument {
  readonly file: string;
  /** Plain data; an empty file is an empty mapping. */
  readonly value: unknown;
  /** Where a path stands in the file, or the deepest part of it that is there. */
  readonly locate: (path: DocumentPath) => Position;
}

/**
 * What a configuration directory says at one moment. Immutable; whatever did not change keeps its identity from state
 * to state.
 */
export interface StoreState {
  /** The last version that could be read; undefined when there is no such file. */
  readonly config: ConfigDocument | undefined;
  /** Why the directory or the present `config.yaml` cannot be used. */
  readonly configProblems: readonly ResourceProblem[];
  /** By name. */
  readonly servers: readonly McpServer[];
  /** By name; those that cannot be used too. */
  readonly workflows: readonly WorkflowResource[];
  /** Resource files that are skipped, by file; those of workflows too. */
  readonly problems: readonly ResourceProblem[];
}
