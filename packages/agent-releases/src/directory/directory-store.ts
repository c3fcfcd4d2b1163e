import { access, constants, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ClientOutcome, REFUSALS, refuse } from '@gateway/agent-manager-client';
import {
  readErrorCode,
  ignoreMissing,
  KeyedFileLocks,
  makeDirectory,
  removeStaleTemporaryFiles,
  formatWriteFailure,
} from '@gateway/files';
import {
  type AgentStore,
  mapOutcome,
  type ModelConfigs,
  type ObjectName,
  toStoredObject,
  type OpenedReleases,
  type StoreChange,
  resolveWrite,
} from '../store/agent-store.ts';
import {
  isLabel,
  isYamlFile,
  LONGEST_WRITE_MS,
  MANIFEST_KINDS,
  MAX_REPORTED_FILES,
  POLL_MS,
  WAIT_FOR_OTHERS_MS,
} from './layout.ts';
import { FolderReports } from './manifest-folder.ts';
import { ManifestFolders } from './manifests.ts';
import { ModelFiles } from './model-files.ts';

const REQUIRED_ACCESS = constants.R_OK | constants.W_OK | constants.X_OK;

/** Checks that a directory and its existing folders can be read and written. Never rejects. */
const checkDirectory = async (
  root: string,
  folders: readonly string[],
): Promise<ClientOutcome<true>> => {
  try {
    if (!(await stat(root)).isDirectory()) {
      return refuse('backend_error', 'the directory of releases is not a directory');
    }
    await access(root, REQUIRED_ACCESS);
    for (const folder of folders) {
      await access(folder, REQUIRED_ACCESS).catch(ignoreMissing);
    }
    return { ok: true, value: true };
  } catch (error) {
    const reason =
      readErrorCode(error) === 'ENOENT' ? 'it does not exist' : formatWriteFailure(error);
    return refuse('backend_error', `the directory of releases cannot be used: ${reason}`);
  }
};

type Listener = (change: StoreChange) => void;

/** Notifies listeners of changes in their namespaces. */
class StoreWatchers {
  readonly #listeners = new Map<symbol, (change: StoreChange) => void>();
  readonly #poll: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param poll finds changes that the system does not report; called periodically while there are listeners */
  constructor(poll: () => void) {
    this.#poll = poll;
  }

  notify(change: StoreChange): void {
    for (const listener of [...this.#listeners.values()]) listener(change);
  }

  /** @returns a function that removes the listener */
  begin(namespaces: readonly string[], listener: Listener): () => void {
    const watched = new Set(namespaces);
    const id = Symbol();
    this.#listeners.set(id, (change) => {
      if (watched.has(change.object.namespace)) listener(change);
    });
    this.#timer ??= setInterval(this.#poll, POLL_MS).unref();
    return () => {
      this.#listeners.delete(id);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The location and settings of a directory store. */
interface DirectoryStoreOptions {
  /** The absolute path of an existing directory. */
  readonly root: string;
  /** The managed namespaces; the first one is the default of models. */
  readonly namespaces: readonly [string, ...string[]];
  readonly onWarning: (sentence: string) => void;
}

/** `<folder>.<namespace>.<name>` */
const LOCK_KEY = /^[a-z]+\.[-a-z0-9]+\.[-a-z0-9]*[a-z0-9]$/;

const CLOSED = refuse('backend_error', 'the store is closed');

/** A store of agents in a directory. It has no Agents and no workloads, which exist only in a cluster. */
class DirectoryStore implements AgentStore {
  readonly #parts: DirectoryStoreOptions;
  readonly #locks: KeyedFileLocks;
  readonly #releases: ManifestFolders;
  readonly #sources: ManifestFolders;
  readonly #models: ModelFiles;
  readonly #watches: StoreWatchers;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(parts: DirectoryStoreOptions) {
    this.#parts = parts;
    this.#locks = new KeyedFileLocks({
      directory: path.join(parts.root, '.locks'),
      key: LOCK_KEY,
      waitMs: WAIT_FOR_OTHERS_MS,
      foreignMs: LONGEST_WRITE_MS,
    });
    this.#watches = new StoreWatchers(() => void this.look());
    const shared = {
      ...parts,
      locks: this.#locks,
      reports: new FolderReports(),
      onChange: this.#watches.notify.bind(this.#watches),
    };
    this.#releases = new ManifestFolders(MANIFEST_KINDS.HelmRelease, shared);
    this.#sources = new ManifestFolders(MANIFEST_KINDS.OCIRepository, shared);
    this.#models = new ModelFiles({ ...parts, defaultNamespace: parts.namespaces[0] });
  }

  /** Removes the lock files of ended processes and reads all manifests. */
  async begin(): Promise<void> {
    await this.#locks.sweep();
    await this.look();
  }

  /** Reads changed files. */
  async look(): Promise<void> {
    if (this.#isClosed) return;
    await Promise.all([this.#releases.look(), this.#sources.look()]);
  }

  readonly listReleases: AgentStore['listReleases'] = (namespace) =>
    this.#open(() => this.#releases.list(namespace));

  readonly getRelease: AgentStore['getRelease'] = (name) =>
    this.#open(() => this.#releases.get(name));

  readonly createRelease: AgentStore['createRelease'] = (release) =>
    this.#open(async () =>
      resolveWrite(await this.#releases.create(release), REFUSALS.releaseExists(release.metadata)),
    );

  readonly replaceRelease: AgentStore['replaceRelease'] = (release, revision) =>
    this.#open(async () =>
      resolveWrite(
        await this.#releases.replace(release, revision),
        REFUSALS.releaseChanged(release.metadata),
      ),
    );

  readonly deleteRelease: AgentStore['deleteRelease'] = (name) =>
    this.#open(() => this.#releases.delete(name));

  readonly listAgents: AgentStore['listAgents'] = () =>
    this.#open(() => Promise.resolve({ ok: true, value: [] }));

  readonly getAgent: AgentStore['getAgent'] = () =>
    this.#open(() => Promise.resolve({ ok: true, value: undefined }));

  readonly deleteAgent: AgentStore['deleteAgent'] = () =>
    this.#open(() => Promise.resolve({ ok: true, value: false }));

  readonly getSource: AgentStore['getSource'] = (name) =>
    this.#open(async () => mapOutcome(await this.#sources.get(name), toStoredObject));

  readonly createSource: AgentStore['createSource'] = (source) =>
    this.#open(async () =>
      mapOutcome(await this.#sources.create(source), (created) => created !== undefined),
    );

  readonly deleteSource: AgentStore['deleteSource'] = (name) =>
    this.#open(() => this.#deleteSource(name));

  readonly modelConfigs: AgentStore['modelConfigs'] = (namespace) =>
    this.#open(async (): Promise<ClientOutcome<ModelConfigs>> => {
      const found = await this.#models.list();
      if (!found.ok) return refuse('backend_error', found.problem);
      const listed = found.models.get(namespace) ?? [];
      return { ok: true, value: { listed, isOpen: listed.length === 0 } };
    });

  readonly workload: AgentStore['workload'] = () =>
    this.#open(() =>
      Promise.resolve({ ok: true, value: { deployment: undefined, pods: [], events: [] } }),
    );

  readonly watch: AgentStore['watch'] = (namespaces, listener) =>
    this.#isClosed ? () => undefined : this.#watches.begin(namespaces, listener);

  readonly check: AgentStore['check'] = () =>
    this.#open(() => {
      const folders = [...this.#releases.directories, ...this.#sources.directories];
      return checkDirectory(this.#parts.root, folders);
    });

  readonly close: AgentStore['close'] = async () => {
    this.#isClosed = true;
    this.#watches.close();
    await Promise.allSettled(this.#running);
    await Promise.all([this.#locks.close(), this.#releases.close(), this.#sources.close()]);
  };

  /** Refuses while a release is unreadable, because that release may need the source. */
  async #deleteSource(name: ObjectName): Promise<ClientOutcome<boolean>> {
    const unknown = await this.#releases.listProblems(name.namespace);
    if (!unknown.ok) return unknown;
    const [problem] = unknown.value;
    return problem === undefined
      ? this.#sources.delete(name)
      : refuse('conflict', `a release that cannot be read may use it (${problem})`);
  }

  async #open<T>(task: () => Promise<ClientOutcome<T>>): Promise<ClientOutcome<T>> {
    if (this.#isClosed) return CLOSED;
    const running = task();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** The directory and the namespaces of a store. */
interface ReleaseDirectoryOptions {
  /** The absolute path of the directory, which is created when it is missing. */
  readonly directory: string;
  /** The managed namespaces; the first one is the default of model configurations. */
  readonly namespaces: readonly [string, ...string[]];
  /** Called for each skipped file, with a sentence that names it. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
}

/** Reports manifests outside the namespace folders. */
const reportMisplacedFiles = async (
  root: string,
  onWarning: (sentence: string) => void,
): Promise<void> => {
  for (const { folder, kind } of Object.values(MANIFEST_KINDS)) {
    const names = await readdir(path.join(root, folder)).catch(ignoreMissing);
    for (const name of (names ?? []).filter(isYamlFile).slice(0, MAX_REPORTED_FILES)) {
      onWarning(
        `${folder}/${name} is not read: a ${kind} is in a file ${folder}/<namespace>/<name>.yaml`,
      );
    }
  }
};

/** Creates the directory, but not its parent, which may be a disk that is not mounted. Returns the problem, if any. */
const prepareDirectory = async (
  root: string,
  namespaces: readonly string[],
): Promise<string | undefined> => {
  const unusable = namespaces.find((namespace) => !isLabel(namespace));
  if (unusable !== undefined) {
    return `${JSON.stringify(unusable)} is not the name of a namespace`;
  }
  await makeDirectory(root);
  const folders = Object.values(MANIFEST_KINDS).flatMap(({ folder }) =>
    namespaces.map((namespace) => path.join(root, folder, namespace)),
  );
  const checked = await checkDirectory(root, folders);
  if (!checked.ok) return checked.error.message;
  for (const folder of folders) await removeStaleTemporaryFiles(folder);
  return undefined;
};

/**
 * Opens a directory of manifests, which any number of processes and users can use concurrently:
 * `releases/<namespace>/<name>.yaml`, `sources/<namespace>/<name>.yaml` and `modelconfigs/*.yaml`. Everything is read once. Never rejects.
 */
export const openReleaseDirectory = async (
  options: ReleaseDirectoryOptions,
): Promise<OpenedReleases> => {
  const { directory, namespaces, onWarning = () => undefined } = options;
  const root = path.resolve(directory);
  try {
    const problem = await prepareDirectory(root, namespaces);
    if (problem !== undefined) return { ok: false, problem };
    await reportMisplacedFiles(root, onWarning);
  } catch (error) {
    const problem = `the directory of releases cannot be used: ${formatWriteFailure(error)}`;
    return { ok: false, problem };
  }
  const store = new DirectoryStore({ root, namespaces, onWarning });
  await store.begin();
  return { ok: true, store };
};
