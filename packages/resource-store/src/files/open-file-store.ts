import { DirectoryHints, removeStaleTemporaryFiles } from '@gateway/files';
import type { ResourceKind } from '@gateway/crd-schemas';
import { setTimeout as pause } from 'node:timers/promises';
import { createConfigWriter } from './config-file.ts';
import { DirectoryTracker, type TrackedDirectory } from './directory-tracker.ts';
import { listResourceDirectories, RESOURCE_DIRECTORIES } from './scan-directory.ts';
import { createServerWriter } from './server-files.ts';
import { createWorkflowWriter } from './workflow-files.ts';
import { YamlFiles } from './yaml-files.ts';
import { ObservableState } from '../port/resource-store.ts';
import type {
  GatewayStore,
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteResult,
} from '../port/resource-store.ts';
import {
  type ResourceKey,
  type ResourceProblem,
  formatProblem,
  type ResourceState,
  type StoreState,
} from '../port/resources.ts';

/** The time that one scan spends on parsing files before it publishes their resources, in milliseconds. */
const MAX_SCAN_MS = 250;
/** The debounce delay of a changed file, in milliseconds. */
const DEFAULT_DEBOUNCE_MS = 100;
/** The time for which a missing or invalid file keeps its last valid version, in milliseconds. */
const GRACE_MS = 300;
/** The interval of the periodic comparison that finds changes the operating system does not report, in milliseconds. */
const RESCAN_MS = 400;
/** The rescan interval while the operating system reports every change, in milliseconds. It drops reports only when its queue is full. */
const REPORTED_RESCAN_MS = 30_000;
/**
 * The interval at which watched directories are checked for replacement while the system reports every change, in milliseconds: a watch
 * does not report that a parent directory was replaced.
 */
const REPLACED_DIRECTORY_MS = 2_000;

/** The delay between a hint and its scan, in which further hints are collected, in milliseconds. */
const GATHER_MS = 20;
/** The maximum share of time spent on scans, however large the directory. */
const MAX_SCAN_SHARE = 0.1;
/** The maximum number of scans for urgent files that change during the scan, and the pause between two of them in milliseconds. */
const URGENT_SCANS = 10;
const URGENT_PAUSE_MS = 20;

const NONE: ReadonlySet<string> = new Set();

/** Options for watching a configuration directory. */
export interface FileStoreOptions extends TrackedDirectory {
  /** Called once for each problem that appears, including those at the start. Must not throw. */
  readonly onProblem?: (problem: ResourceProblem) => void;
  /** The debounce delay of a changed file, in milliseconds; 100 when absent. */
  readonly debounceMs?: number;
}

/** Scans after a hint, when a file is due, and periodically. Runs one scan at a time. */
class FileStoreLoop {
  readonly #tracker: DirectoryTracker;
  readonly #options: FileStoreOptions;
  readonly #hints: DirectoryHints;
  readonly state: ObservableState<StoreState>;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #running: Promise<boolean> | undefined;
  #hintCount = 0;
  /** Until this time, the operating system reports every change as a hint. */
  #reportedUntil = 0;
  #isClosed = false;

  constructor(tracker: DirectoryTracker, first: StoreState, options: FileStoreOptions) {
    this.#tracker = tracker;
    this.#options = options;
    this.state = new ObservableState(first);
    const { directory } = options;
    this.#hints = new DirectoryHints(directory, listResourceDirectories(directory), () => {
      this.#onHint();
    });
    this.#reportNew(new Set(), first);
    this.state.subscribe((state, previous) => {
      this.#reportNew(new Set(listStateProblems(previous).map(formatProblem)), state);
    });
    // The first scan also finds changes from before the watches started.
    this.#schedule(0);
  }

  /** Reads the current content of these files. Resolves when the listeners were called. */
  async readNow(files: ReadonlySet<string>): Promise<void> {
    for (let scans = 0; scans < URGENT_SCANS; scans += 1) {
      while (this.#running !== undefined) await this.#running;
      if (this.#isClosed) return;
      this.#running = this.#scanOnce(files);
      if (!(await this.#running)) return;
      await new Promise((wake) => setTimeout(wake, URGENT_PAUSE_MS));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.state.close();
    clearTimeout(this.#timer);
    this.#hints.close();
    await this.#running;
  }

  #onHint(): void {
    this.#hintCount += 1;
    this.#reportedUntil = 0;
    if (this.#running === undefined) this.#schedule(GATHER_MS);
  }

  /** Schedules a scan after this time unless an earlier one is scheduled. */
  #schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.#isClosed || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      // A running scan schedules the next one.
      if (this.#running !== undefined) return;
      if (this.#isReported()) this.#schedule(REPLACED_DIRECTORY_MS);
      else this.#running = this.#scanOnce(NONE);
    }, delayMs);
  }

  #isReported(): boolean {
    return performance.now() < this.#reportedUntil && this.#hints.isReported();
  }

  /** Scans once. Returns whether an urgent file changed during the scan. */
  async #scanOnce(urgent: ReadonlySet<string>): Promise<boolean> {
    const startedAt = performance.now();
    const hintCountBefore = this.#hintCount;
    await this.#hints.refresh();
    const { debounceMs = DEFAULT_DEBOUNCE_MS } = this.#options;
    const scan = { debounceMs, graceMs: GRACE_MS, urgent, maxMs: MAX_SCAN_MS };
    const { state, nextDueAt, isUnsettled, isReported } = await this.#tracker.scan(scan);
    this.state.set(state);
    this.#running = undefined;
    const now = performance.now();
    const isHinted = this.#hintCount > hintCountBefore;
    const isQuiet = isReported && !isHinted && nextDueAt === Infinity;
    this.#reportedUntil = isQuiet ? now + REPORTED_RESCAN_MS : 0;
    const soonest = isHinted ? GATHER_MS : Math.max(GATHER_MS, nextDueAt - now);
    const rescan = Math.max(RESCAN_MS, (now - startedAt) / MAX_SCAN_SHARE);
    this.#schedule(Math.min(soonest, rescan));
    return isUnsettled;
  }

  #reportNew(known: ReadonlySet<string>, state: StoreState): void {
    const { onProblem } = this.#options;
    if (onProblem === undefined) return;
    for (const problem of listStateProblems(state)) {
      if (!known.has(formatProblem(problem))) onProblem(problem);
    }
  }
}

const listStateProblems = ({
  configProblems,
  problems,
}: StoreState): readonly ResourceProblem[] => [...configProblems, ...problems];

type Status = StatusByKind[ResourceKind];

const formatStatusId = ({ kind, namespace, name }: StatusReference): string =>
  `${kind}/${namespace}/${name}`;

/** Returns the keys of the valid resources of a kind. */
const listKeys = (kind: ResourceKind, state: ResourceState): readonly ResourceKey[] =>
  kind === 'MCPServer'
    ? state.servers.map(({ metadata }) => metadata)
    : state.workflows.flatMap((entry) => (entry.valid ? [entry.workflow.metadata] : []));

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
    if (exists) this.#statuses.set(formatStatusId(reference), status);
    return Promise.resolve({ kind: exists ? 'done' : 'missing' });
  };

  readonly status = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ): StatusByKind[Kind] | undefined =>
    this.#statuses.get(formatStatusId(reference)) as StatusByKind[Kind] | undefined;

  /** Removes the statuses of resources that no longer exist. */
  readonly prune = (state: ResourceState): void => {
    if (this.#statuses.size === 0) return;
    const ids = new Set(
      KINDS.flatMap((kind) =>
        listKeys(kind, state).map(({ namespace, name }) =>
          formatStatusId({ kind, namespace, name }),
        ),
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
  for (const folder of [directory, ...listResourceDirectories(directory)])
    await removeStaleTemporaryFiles(folder);
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
