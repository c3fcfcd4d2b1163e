import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DirectoryHints, removeStaleTemporaryFiles } from '@gateway/files';
import { ConfigFile } from './config-file.ts';
import { DirectoryTracker, type TrackedDirectory } from './directory-tracker.ts';
import { FileStoreLoop } from './file-store-loop.ts';
import { DEFAULT_DEBOUNCE_MS, GRACE_MS, MAX_SCAN_MS } from './limits.ts';
import { RESOURCE_DIRECTORIES } from './scan-directory.ts';
import { ServerFiles } from './server-files.ts';
import { WorkflowFiles } from './workflow-files.ts';
import type {
  GatewayStore,
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteResult,
} from '../port/resource-store.ts';
import type {
  ResourceKey,
  ResourceKind,
  ResourceProblem,
  ResourceState,
  StoreState,
} from '../port/resources.ts';

type Status = StatusByKind[ResourceKind];

const idOf = ({ kind, namespace, name }: StatusReference): string => `${kind}/${namespace}/${name}`;

/** Returns the keys of the valid resources of a kind. */
const keysOf = (kind: ResourceKind, state: ResourceState): readonly ResourceKey[] =>
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

/** Options of following a configuration directory. */
export interface FileStoreOptions extends TrackedDirectory {
  /** Called once for each problem that appears, including those at the start. Must not throw. */
  readonly onProblem?: (problem: ResourceProblem) => void;
  /** The debounce delay of a changed file, in milliseconds; 100 when absent. */
  readonly debounceMs?: number;
}

/**
 * Opens a configuration directory as a store. A change is in the state within a second, whole files only. A missing or invalid file keeps its
 * last valid version for 300 ms, because a write in two steps looks the same.
 *
 * @spec §1.5
 */
export const openFileStore = async (options: FileStoreOptions): Promise<GatewayStore> => {
  const { directory } = options;
  for (const written of [directory, ...resourceDirectories(directory)])
    await removeStaleTemporaryFiles(written);
  const loop = await startLoop(options);
  const statuses = new StatusMemory(() => loop.current);
  loop.subscribe(statuses.prune);
  const onWritten = (file: string): Promise<void> => loop.readNow(new Set([file]));
  const addressedBy = (find: typeof namespaceOfServer) => (key: ResourceKey) =>
    (find(loop.current, key.name) ?? key.namespace) === key.namespace;
  const servers = new ServerFiles({
    ...options,
    onWritten,
    isAddressed: addressedBy(namespaceOfServer),
  });
  const workflows = new WorkflowFiles({
    ...options,
    onWritten,
    isAddressed: addressedBy(namespaceOfWorkflow),
  });
  const config = new ConfigFile({ directory, onWritten });
  return {
    current: () => loop.current,
    subscribe: (listener) => loop.subscribe(listener),
    refresh: () => loop.readNow(EVERY_FILE),
    ...{ servers, workflows, config },
    writeStatus: statuses.writeStatus,
    status: statuses.status,
    close: async () => {
      await Promise.all([workflows.close(), servers.close(), config.close()]);
      await loop.close();
    },
  };
};

const startLoop = async ({
  debounceMs = DEFAULT_DEBOUNCE_MS,
  onProblem,
  ...target
}: FileStoreOptions): Promise<FileStoreLoop> => {
  const { directory } = target;
  const tracker = new DirectoryTracker(target, () => performance.now());
  const first = await readUntilSettled(tracker);
  return new FileStoreLoop({
    first,
    scan: (urgent) => tracker.scan({ debounceMs, graceMs: GRACE_MS, urgent, maxMs: MAX_SCAN_MS }),
    ...(onProblem === undefined ? {} : { onProblem }),
    hints: (onHint) => new DirectoryHints(directory, resourceDirectories(directory), onHint),
  });
};

/** Contains every file. */
class EveryFile extends Set<string> {
  override has(): boolean {
    return true;
  }
}

const EVERY_FILE: ReadonlySet<string> = new EveryFile();

const resourceDirectories = (directory: string): readonly string[] =>
  Object.values(RESOURCE_DIRECTORIES).map((name) => path.join(directory, name));

const namespaceOfServer = ({ servers }: ResourceState, name: string): string | undefined =>
  servers.find(({ metadata }) => metadata.name === name)?.metadata.namespace;

const namespaceOfWorkflow = ({ workflows }: ResourceState, name: string): string | undefined => {
  const found = workflows.find((workflow) => workflow.name === name);
  return found?.valid === true ? found.workflow.metadata.namespace : undefined;
};
