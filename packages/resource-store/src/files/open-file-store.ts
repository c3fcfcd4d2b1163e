import type { ResourceKind } from '@gateway/crd-schemas';
import { setTimeout as pause } from 'node:timers/promises';
import { removeStaleTemporaryFiles } from '@gateway/files';
import type {
  GatewayStore,
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteResult,
} from '../port/resource-store.ts';
import type { ResourceKey, ResourceState, StoreState } from '../port/resources.ts';
import { createConfigWriter } from './config-file.ts';
import { DirectoryTracker } from './directory-tracker.ts';
import { FileStoreLoop, type FileStoreOptions } from './file-store-loop.ts';
import { RESOURCE_DIRECTORIES, listResourceDirectories } from './scan-directory.ts';
import { createServerWriter } from './server-files.ts';
import { createWorkflowWriter } from './workflow-files.ts';
import { YamlFiles } from './yaml-files.ts';

type Status = StatusByKind[ResourceKind];

const statusId = ({ kind, namespace, name }: StatusReference): string =>
  `${kind}/${namespace}/${name}`;

/** Returns the keys of the valid resources of a kind. */
const listKeys = (kind: ResourceKind, state: ResourceState): readonly ResourceKey[] =>
  kind === 'MCPServer'
    ? state.servers.map(({ metadata }) => metadata)
    : state.workflows.flatMap((one) => (one.valid ? [one.workflow.metadata] : []));

const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

/** Stores statuses in memory, because the files belong to their users. */
class StatusMemory implements ResourceStatusWriter {
  readonly #statuses = new Map<string, Status>();
  readonly #current: () => ResourceState;

  constructor(current: () => ResourceState) {
    this.#current = current;
  }

  readonly writeStatus = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
    status: StatusByKind[Kind],
  ): Promise<StatusWriteResult> => {
    const exists = listKeys(reference.kind, this.#current()).some(
      ({ namespace, name }) => namespace === reference.namespace && name === reference.name,
    );
    if (exists) this.#statuses.set(statusId(reference), status);
    return Promise.resolve({ kind: exists ? 'done' : 'missing' });
  };

  readonly status = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ): StatusByKind[Kind] | undefined =>
    this.#statuses.get(statusId(reference)) as StatusByKind[Kind] | undefined;

  /** Removes the statuses of resources that no longer exist. */
  readonly prune = (state: ResourceState): void => {
    if (this.#statuses.size === 0) return;
    const ids = new Set(
      KINDS.flatMap((kind) =>
        listKeys(kind, state).map(({ namespace, name }) => statusId({ kind, namespace, name })),
      ),
    );
    for (const id of this.#statuses.keys()) if (!ids.has(id)) this.#statuses.delete(id);
  };
}

const IMMEDIATE = { debounceMs: 0, graceMs: 0 } as const;
const ATTEMPTS = 10;
const PAUSE_MS = 20;

/** Scans without waiting; repeats a bounded number of times while files change during the scan. */
const readUntilSettled = async (tracker: DirectoryTracker): Promise<StoreState> => {
  let scan = await tracker.scan(IMMEDIATE);
  for (let attempt = 1; attempt < ATTEMPTS && scan.nextDueAt < Infinity; attempt += 1) {
    await pause(PAUSE_MS);
    scan = await tracker.scan(IMMEDIATE);
  }
  return scan.state;
};

/**
 * Reads a configuration directory once. Problems are in the state: a missing directory is one of its `configProblems`.
 *
 * @param options.apiGroup the API group of the resources; `gateway.internal` when absent
 * @spec §1.5
 */
export const readDirectory = (
  directory: string,
  options: { readonly apiGroup?: string } = {},
): Promise<StoreState> =>
  readUntilSettled(new DirectoryTracker({ ...options, directory }, () => performance.now()));

/** Contains every file. */
class EveryFile extends Set<string> {
  override has(): boolean {
    return true;
  }
}

const EVERY_FILE: ReadonlySet<string> = new EveryFile();

/**
 * Opens a configuration directory as a store. A change is in the state within a second, whole files only. A missing or invalid file keeps its
 * last valid version for 300 ms, because a write in two steps looks the same.
 *
 * @spec §1.5
 */
export const openFileStore = async (options: FileStoreOptions): Promise<GatewayStore> => {
  const { directory, apiGroup } = options;
  for (const written of [directory, ...listResourceDirectories(directory)])
    await removeStaleTemporaryFiles(written);
  const tracker = new DirectoryTracker(options, () => performance.now());
  const loop = new FileStoreLoop(tracker, await readUntilSettled(tracker), options);
  const { current, subscribe } = loop.state;
  const statuses = new StatusMemory(current);
  subscribe(statuses.prune);
  const onWritten = (file: string): Promise<void> => loop.readNow(new Set([file]));
  const resourceFiles = (kind: ResourceKind) => ({
    files: new YamlFiles({ root: directory, folder: RESOURCE_DIRECTORIES[kind], onWritten }),
    apiGroup,
    isAddressed: ({ namespace, name }: ResourceKey): boolean => {
      const known = listKeys(kind, current()).find((key) => key.name === name);
      return (known?.namespace ?? namespace) === namespace;
    },
  });
  const servers = resourceFiles('MCPServer');
  const workflows = resourceFiles('Workflow');
  const config = new YamlFiles({ root: directory, onWritten });
  return {
    current,
    subscribe,
    refresh: () => loop.readNow(EVERY_FILE),
    servers: createServerWriter(servers),
    workflows: createWorkflowWriter(workflows),
    config: createConfigWriter(directory, config),
    writeStatus: statuses.writeStatus,
    status: statuses.status,
    close: async () => {
      await Promise.all([workflows.files.close(), servers.files.close(), config.close()]);
      await loop.close();
    },
  };
};
