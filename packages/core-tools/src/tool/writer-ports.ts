import type { JsonObject } from '@gateway/call-contract';
import type { Workflow } from '@gateway/crd-schemas';

/** The outcome of writing a workflow. After `done`, `workflows()` includes the change. */
export type WriteOutcome =
  | { readonly kind: 'done' }
  /** A workflow of this name exists. */
  | { readonly kind: 'exists' }
  /** No workflow of this name exists. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly text: string };

/** Writes workflows to their store, atomically. */
export interface WorkflowWriterPort {
  create(workflow: Workflow): Promise<WriteOutcome>;
  /** Replaces the whole `spec`. */
  replace(workflow: Workflow): Promise<WriteOutcome>;
  remove(name: string): Promise<WriteOutcome>;
}

/** The outcome of writing a server. After `done`, `servers()` includes the change within a second. */
export type ServerWriteOutcome =
  | WriteOutcome
  /** The resulting definition is not valid; one line per problem. Nothing was written. */
  | { readonly kind: 'invalid'; readonly issues: readonly string[] };

/** The change would decide where values of Secrets or ConfigMaps are sent. Nothing was written. */
export interface RestrictedWrite {
  readonly kind: 'restricted';
  /** The changed field of `spec`. */
  readonly field: string;
}

/** Writes servers to their store, atomically. @spec §2.6 */
export interface ServerWriterPort {
  /** Creates the complete resource: `apiVersion`, `kind`, `metadata`, `spec`. */
  create(document: JsonObject): Promise<ServerWriteOutcome>;
  /**
   * Applies a JSON merge patch (RFC 7396) to `spec`: `null` removes, lists are replaced. With `keepsDestination`, a change of where values of
   * Secrets and ConfigMaps are sent is refused, whatever the state of the definition.
   */
  patch(
    name: string,
    specPatch: JsonObject,
    limits: { readonly keepsDestination: boolean },
  ): Promise<ServerWriteOutcome | RestrictedWrite>;
  remove(name: string): Promise<ServerWriteOutcome>;
}
