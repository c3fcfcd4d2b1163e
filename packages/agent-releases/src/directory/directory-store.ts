import path from 'node:path';
import { REFUSALS, refused, type Answer } from '@gateway/agent-manager-client';
import type { AgentStore } from '../store/agent-store.ts';
import type { ModelConfigs, ObjectName } from '../store/objects.ts';
import { mapped, objectOf, written } from '../results/store-answers.ts';
import { checkDirectory } from './check-directory.ts';
import { KeyedFileLocks } from '@gateway/files';
import { LONGEST_WRITE_MS, WAIT_FOR_OTHERS_MS } from './limits.ts';
import { FolderReports } from './folder-reports.ts';
import { MANIFEST_KINDS } from './manifest-kind.ts';
import { Manifests } from './manifests.ts';
import { ModelFiles } from './model-files.ts';
import { StoreWatches } from './store-watches.ts';

/** The location and settings of a directory store. */
export interface DirectoryStoreOptions {
  /** The absolute path of an existing directory. */
  readonly root: string;
  /** The managed namespaces; the first one is the default of models. */
  readonly namespaces: readonly [string, ...string[]];
  readonly onWarning: (sentence: string) => void;
}

/** `<folder>.<namespace>.<name>` */
const LOCK_KEY = /^[a-z]+\.[-a-z0-9]+\.[-a-z0-9]*[a-z0-9]$/;

const CLOSED = refused('backend_error', 'the store is closed');

/** A store of agents in a directory. It has no Agents and no workloads, which exist only in a cluster. */
export class DirectoryStore implements AgentStore {
  readonly #parts: DirectoryStoreOptions;
  readonly #locks: KeyedFileLocks;
  readonly #releases: Manifests;
  readonly #sources: Manifests;
  readonly #models: ModelFiles;
  readonly #watches: StoreWatches;
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
    this.#watches = new StoreWatches(() => void this.look());
    const shared = {
      ...parts,
      locks: this.#locks,
      reports: new FolderReports(),
      onChange: this.#watches.notify.bind(this.#watches),
    };
    this.#releases = new Manifests(MANIFEST_KINDS.HelmRelease, shared);
    this.#sources = new Manifests(MANIFEST_KINDS.OCIRepository, shared);
    this.#models = new ModelFiles({ ...parts, defaultNamespace: parts.namespaces[0] });
  }

  /** Starts: removes the files of ended processes and reads everything. */
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
      written(await this.#releases.create(release), REFUSALS.releaseExists(release.metadata)),
    );

  readonly replaceRelease: AgentStore['replaceRelease'] = (release, revision) =>
    this.#open(async () =>
      written(
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
    this.#open(async () => mapped(await this.#sources.get(name), objectOf));

  readonly createSource: AgentStore['createSource'] = (source) =>
    this.#open(async () =>
      mapped(await this.#sources.create(source), (created) => created !== undefined),
    );

  readonly deleteSource: AgentStore['deleteSource'] = (name) =>
    this.#open(() => this.#deleteSource(name));

  readonly modelConfigs: AgentStore['modelConfigs'] = (namespace) =>
    this.#open(async (): Promise<Answer<ModelConfigs>> => {
      const found = await this.#models.list();
      if (!found.ok) return refused('backend_error', found.problem);
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
  async #deleteSource(name: ObjectName): Promise<Answer<boolean>> {
    const unknown = await this.#releases.unknown(name.namespace);
    if (!unknown.ok) return unknown;
    const [problem] = unknown.value;
    return problem === undefined
      ? this.#sources.delete(name)
      : refused('conflict', `a release that cannot be read may use it (${problem})`);
  }

  async #open<T>(task: () => Promise<Answer<T>>): Promise<Answer<T>> {
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
