import type { McpServerStatus, WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceKey, ResourceKind } from './resource-key.ts';

/** The `status` of each kind. */
export interface StatusByKind {
  readonly MCPServer: McpServerStatus;
  readonly Workflow: WorkflowStatus;
}

/** A resource whose status is read or written. */
export interface StatusReference<Kind extends ResourceKind = ResourceKind> extends ResourceKey {
  readonly kind: Kind;
}

/** The result of a status write. */
export type StatusWriteResult =
  /** The resource has the status. Fields that only count attempts may follow later. */
  | { readonly kind: 'done' }
  /** Another replica leads and writes its own. This one remembers the status, and writes it when it leads and the resource has another. */
  | { readonly kind: 'deferred' }
  /** The resource does not exist. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly text: string };

/** How a status is written. */
export interface StatusWriteOptions {
  /**
   * The gateway does not know the state yet, for example during the first attempt after its start. It is written only to a resource without
   * a status about its present definition, so that a restart does not replace what is known.
   */
  readonly isProvisional?: boolean;
}

/** Reads and writes the `status` that the gateway reports for a resource. */
export interface ResourceStatusWriter {
  /**
   * Writes the whole status of a resource. The desired state does not change, so that listeners are not called. A status ends with its
   * resource.
   */
  readonly writeStatus: <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
    status: StatusByKind[Kind],
    options?: StatusWriteOptions,
  ) => Promise<StatusWriteResult>;
  /** Returns the status that was written last; undefined for none. */
  readonly status: <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ) => StatusByKind[Kind] | undefined;
}
