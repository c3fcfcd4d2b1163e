import type { McpServer } from '@gateway/crd-schemas';
import type { DocumentPath, Position } from '@gateway/files';
import type { ResourceProblem } from './resource-problem.ts';
import type { WorkflowResource } from './workflow-resource.ts';

/** `config.yaml` as data, which its owner validates. */
export interface ConfigDocument {
  /** The origin of the document, for messages. */
  readonly source: string;
  /** Plain data; an empty document is an empty mapping. */
  readonly value: unknown;
  /** Returns the position of a path in the document, or that of its deepest existing part. */
  readonly locate: (path: DocumentPath) => Position;
}

/** The resources at one moment. Immutable: unchanged parts keep their identity from state to state. */
export interface ResourceState {
  /** Sorted by name. */
  readonly servers: readonly McpServer[];
  /** Sorted by name, including invalid ones. */
  readonly workflows: readonly WorkflowResource[];
  /** The problems of resources that are skipped, sorted by source, including those of workflows. */
  readonly problems: readonly ResourceProblem[];
}

/** The configuration at one moment. Immutable. */
export interface ConfigState {
  /** The last readable version; undefined when there is none. */
  readonly config: ConfigDocument | undefined;
  /** The problems of the current document and of its origin. */
  readonly configProblems: readonly ResourceProblem[];
}

/** The whole desired state at one moment. */
export interface StoreState extends ResourceState, ConfigState {}
