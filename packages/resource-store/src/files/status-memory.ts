import type { ResourceKey, ResourceKind } from '../port/resource-key.ts';
import type {
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteResult,
} from '../port/resource-status.ts';
import type { ResourceState } from '../port/state.ts';

type Status = StatusByKind[ResourceKind];

const idOf = ({ kind, namespace, name }: StatusReference): string => `${kind}/${namespace}/${name}`;

/** Returns the keys of the valid resources of a kind. */
const keysOf = (kind: ResourceKind, state: ResourceState): readonly ResourceKey[] =>
  kind === 'MCPServer'
    ? state.servers.map(({ metadata }) => metadata)
    : state.workflows.flatMap((one) => (one.valid ? [one.workflow.metadata] : []));

const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

/** Stores statuses in memory, because the files belong to their users. */
export class StatusMemory implements ResourceStatusWriter {
  readonly #statuses = new Map<string, Status>();
  readonly #current: () => ResourceState;

  constructor(current: () => ResourceState) {
    this.#current = current;
  }

  readonly writeStatus = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
    status: StatusByKind[Kind],
  ): Promise<StatusWriteResult> => {
    const exists = keysOf(reference.kind, this.#current()).some(
      ({ namespace, name }) => namespace === reference.namespace && name === reference.name,
    );
    if (exists) this.#statuses.set(idOf(reference), status);
    return Promise.resolve({ kind: exists ? 'done' : 'missing' });
  };

  readonly status = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ): StatusByKind[Kind] | undefined =>
    this.#statuses.get(idOf(reference)) as StatusByKind[Kind] | undefined;

  /** Removes the statuses of resources that no longer exist. */
  readonly prune = (state: ResourceState): void => {
    if (this.#statuses.size === 0) return;
    const ids = new Set(
      KINDS.flatMap((kind) =>
        keysOf(kind, state).map(({ namespace, name }) => idOf({ kind, namespace, name })),
      ),
    );
    for (const id of this.#statuses.keys()) if (!ids.has(id)) this.#statuses.delete(id);
  };
}
