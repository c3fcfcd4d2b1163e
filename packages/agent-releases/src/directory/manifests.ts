import { accessSync, constants } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { type ClientOutcome, refuse } from '@gateway/agent-manager-client';
import {
  createFileAtomically,
  type HeldLock,
  type KeyedFileLocks,
  makeDirectory,
  removeStaleTemporaryFiles,
  replaceFileIfUnchanged,
  returnOn,
  syncDirectory,
  formatWriteFailure,
} from '@gateway/files';
import type { KubernetesObject, ObjectName, StoreChange, Stored } from '../store/agent-store.ts';
import {
  toManifestFileName,
  isLabel,
  type ManifestKind,
  MAX_FILE_BYTES,
  MAX_FILES,
  SWEEP_MS,
} from './layout.ts';
import { type FolderReports, ManifestFolder } from './manifest-folder.ts';
import {
  type FolderLocation,
  renderManifestFile,
  toOrderedManifest,
  toPlainObject,
  computeRevision,
} from './manifest-reader.ts';

/** The folder and the locks of a writer. */
interface WriterParts {
  readonly place: FolderLocation;
  readonly folder: ManifestFolder;
  readonly locks: KeyedFileLocks;
}

type ManifestWriteOutcome = ClientOutcome<Stored<KubernetesObject> | undefined>;

type ExistingManifest =
  | {
      readonly kind: 'same';
      readonly text: string;
      /** The fingerprint of the file before it was read. */
      readonly fingerprint: string | undefined;
      readonly isWithoutNamespace: boolean;
    }
  | { readonly kind: 'other' }
  | { readonly kind: 'failed'; readonly problem: string };

const CHANGED_MANIFEST: ExistingManifest = { kind: 'other' };
const OPTIONS = { mode: 0o666, isDurable: true } as const;
const NOTHING: ManifestWriteOutcome = { ok: true, value: undefined };

/** Returns the object without its namespace, which comes from the folder. */
const withoutNamespace = (object: KubernetesObject): object => {
  const { namespace: _namespace, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** Writes the files of a folder atomically, and only over the expected revision. */
class ManifestWriter {
  readonly #parts: WriterParts;
  #lastSweepMs = -Infinity;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Creates an object. Returns undefined when its name is in use. */
  create(given: KubernetesObject): Promise<ManifestWriteOutcome> {
    const { name } = given.metadata;
    return this.#attempt('write', name, async () => {
      const { place, folder } = this.#parts;
      // The source of a release usually exists, and every release requests it.
      if (folder.reader.look(name) !== undefined) return NOTHING;
      if (folder.index.size >= MAX_FILES) {
        const reason = `${folder.reader.formatPath('')} holds ${String(MAX_FILES)} files, and no more are read`;
        return refuse('backend_error', reason);
      }
      const object = toOrderedManifest(toPlainObject(given));
      const text = renderManifestFile('', object);
      if (text === undefined) return this.#refuseUnwritable(name);
      await makeDirectory(path.join(place.root, place.kind.folder));
      await makeDirectory(folder.reader.directory);
      await this.#sweep();
      if (!(await createFileAtomically(folder.reader.toFile(name), text, OPTIONS))) return NOTHING;
      return this.#recordWrite(text, object, false);
    });
  }

  /** Replaces an object. Returns undefined when it has another revision or is missing. */
  replace(given: KubernetesObject, revision: string): Promise<ManifestWriteOutcome> {
    const { name } = given.metadata;
    return this.#attempt('write', name, () =>
      this.#withLock(name, (lock) => this.#replace(toPlainObject(given), revision, lock)),
    );
  }

  /** Deletes an object. Returns false when it is missing. */
  delete(name: string): Promise<ClientOutcome<boolean>> {
    const { reader } = this.#parts.folder;
    return this.#attempt('delete', name, () =>
      this.#withLock(name, async (): Promise<ClientOutcome<boolean>> => {
        const isDeleted = await unlink(reader.toFile(name)).then(
          () => true,
          returnOn('ENOENT', false),
        );
        if (isDeleted) await syncDirectory(reader.directory);
        this.#parts.folder.markChanged(name);
        return { ok: true, value: isDeleted };
      }),
    );
  }

  async #replace(
    object: KubernetesObject,
    revision: string,
    lock: HeldLock,
  ): Promise<ManifestWriteOutcome> {
    const { name } = object.metadata;
    const before = await this.#readExisting(name, revision);
    if (before.kind === 'other') return NOTHING;
    if (before.kind === 'failed') return refuse('backend_error', before.problem);
    const { isWithoutNamespace } = before;
    const text = renderManifestFile(
      before.text,
      isWithoutNamespace ? withoutNamespace(object) : object,
    );
    if (text === undefined) return this.#refuseUnwritable(name);
    if (text !== before.text) {
      const { reader } = this.#parts.folder;
      const isUnchanged = (): boolean =>
        lock.isHeld() && reader.look(name)?.fingerprint === before.fingerprint;
      const file = reader.toFile(name);
      // A rename does not need write permission on the file, but a read-only file must not be replaced.
      accessSync(file, constants.W_OK);
      await this.#sweep();
      if (!(await replaceFileIfUnchanged(file, text, { ...OPTIONS, isUnchanged }))) return NOTHING;
    }
    return this.#recordWrite(text, object, isWithoutNamespace);
  }

  /** Reads the file to replace and compares its revision with the expected revision. */
  async #readExisting(name: string, revision: string): Promise<ExistingManifest> {
    const { reader, index } = this.#parts.folder;
    const fingerprint = reader.look(name)?.fingerprint;
    const read = await reader.text(name, 'blocking');
    if (read.kind === 'failed' || read.kind === 'unsettled') {
      const reason = read.kind === 'failed' ? read.message : 'is being written by another process';
      return {
        kind: 'failed',
        problem: `${reader.formatPath(toManifestFileName(name))} ${reason}`,
      };
    }
    if (read.kind !== 'text' || computeRevision(read.text) !== revision) return CHANGED_MANIFEST;
    const { problem, isWithoutNamespace } = reader.parse(name, read.text, index.get(name));
    if (problem !== undefined) return CHANGED_MANIFEST;
    return { kind: 'same', text: read.text, fingerprint, isWithoutNamespace };
  }

  #recordWrite(
    text: string,
    object: KubernetesObject,
    isWithoutNamespace: boolean,
  ): ManifestWriteOutcome {
    const { folder } = this.#parts;
    const stored = folder.reader.rememberWrite(text, object, isWithoutNamespace);
    folder.markChanged(object.metadata.name);
    return { ok: true, value: stored };
  }

  async #withLock<T>(
    name: string,
    task: (lock: HeldLock) => Promise<ClientOutcome<T>>,
  ): Promise<ClientOutcome<T>> {
    const { locks, place, folder } = this.#parts;
    const key = `${place.kind.folder}.${place.namespace}.${name}`;
    const answer = await locks.run(key, task);
    if (!('heldBy' in answer)) return answer;
    const file = folder.reader.formatPath(toManifestFileName(name));
    return refuse('backend_error', `${file} is being written by process ${String(answer.heldBy)}`);
  }

  async #attempt<T>(
    verb: 'write' | 'delete',
    name: string,
    task: () => Promise<ClientOutcome<T>>,
  ): Promise<ClientOutcome<T>> {
    try {
      return await task();
    } catch (error) {
      const file = this.#parts.folder.reader.formatPath(toManifestFileName(name));
      return refuse('backend_error', `cannot ${verb} ${file}: ${formatWriteFailure(error)}`);
    }
  }

  #refuseUnwritable(name: string): Extract<ClientOutcome<never>, { ok: false }> {
    const { kind, namespace } = this.#parts.place;
    const reason = `${kind.kind} ${namespace}/${name} cannot be written in ${String(MAX_FILE_BYTES)} bytes of YAML`;
    return refuse('invalid_request', reason);
  }

  /** Removes temporary files periodically, because a scan costs more than a write. */
  async #sweep(): Promise<void> {
    if (performance.now() - this.#lastSweepMs < SWEEP_MS) return;
    this.#lastSweepMs = performance.now();
    await removeStaleTemporaryFiles(this.#parts.folder.reader.directory);
  }
}

/** The directory and the listeners. */
interface ManifestsParts {
  readonly root: string;
  readonly namespaces: readonly string[];
  readonly locks: KeyedFileLocks;
  readonly reports: FolderReports;
  readonly onWarning: (sentence: string) => void;
  readonly onChange: (change: StoreChange) => void;
}

interface NamespaceFolder {
  readonly folder: ManifestFolder;
  readonly writer: ManifestWriter;
}

/** The objects of one kind, in a folder per managed namespace. Never rejects. */
export class ManifestFolders {
  readonly #kind: ManifestKind;
  readonly #places: ReadonlyMap<string, NamespaceFolder>;

  constructor(kind: ManifestKind, parts: ManifestsParts) {
    const { root, namespaces, locks, reports, onWarning, onChange } = parts;
    this.#kind = kind;
    const createPlace = (namespace: string): NamespaceFolder => {
      const place = { root, kind, namespace };
      const folder = new ManifestFolder({
        ...place,
        reports,
        onWarning,
        onChange: (name, change) => {
          onChange({ kind: kind.kind, object: { namespace, name }, change });
        },
      });
      return { folder, writer: new ManifestWriter({ place, folder, locks }) };
    };
    this.#places = new Map(namespaces.filter(isLabel).map((name) => [name, createPlace(name)]));
  }

  /** Lists the objects, sorted by name. */
  async list(namespace: string): Promise<ClientOutcome<readonly Stored<KubernetesObject>[]>> {
    const listed = await this.#places.get(namespace)?.folder.list();
    if (listed === undefined) return { ok: true, value: [] };
    return listed.ok ? listed : refuse('backend_error', listed.problem);
  }

  /** Returns an object. An invalid file is a refusal with the reason. */
  async get({
    namespace,
    name,
  }: ObjectName): Promise<ClientOutcome<Stored<KubernetesObject> | undefined>> {
    const folder = isLabel(name) ? this.#places.get(namespace)?.folder : undefined;
    const found = await folder?.get(name);
    if (found === undefined) return { ok: true, value: undefined };
    if (!found.ok) return refuse('backend_error', found.problem);
    const problem = found.value?.problem;
    return problem === undefined
      ? { ok: true, value: found.value?.stored }
      : refuse('backend_error', problem);
  }

  /** Creates an object. Returns undefined when its name is in use. */
  create(object: KubernetesObject): Promise<ClientOutcome<Stored<KubernetesObject> | undefined>> {
    return this.#write(object.metadata, (writer) => writer.create(object));
  }

  /** Replaces an object. Returns undefined when it has another revision or is missing. */
  replace(
    object: KubernetesObject,
    revision: string,
  ): Promise<ClientOutcome<Stored<KubernetesObject> | undefined>> {
    return this.#write(object.metadata, (writer) => writer.replace(object, revision));
  }

  /** Deletes an object. Returns false when it is missing. */
  delete(object: ObjectName): Promise<ClientOutcome<boolean>> {
    return this.#write(object, (writer) => writer.delete(object.name));
  }

  /** Returns the problems of files whose object is unknown. */
  async listProblems(namespace: string): Promise<ClientOutcome<readonly string[]>> {
    const listed = await this.list(namespace);
    if (!listed.ok) return listed;
    return { ok: true, value: this.#places.get(namespace)?.folder.index.listProblems() ?? [] };
  }

  /** Reads every namespace and notifies watchers of changes. */
  async look(): Promise<void> {
    await Promise.all([...this.#places.values()].map(({ folder }) => folder.list()));
  }

  /** The directories of the manifest files. */
  get directories(): readonly string[] {
    return [...this.#places.values()].map(({ folder }) => folder.reader.directory);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#places.values()].map(({ folder }) => folder.close()));
  }

  async #write<T>(
    { namespace, name }: ObjectName,
    write: (writer: ManifestWriter) => Promise<ClientOutcome<T>>,
  ): Promise<ClientOutcome<T>> {
    const writer = isLabel(name) ? this.#places.get(namespace)?.writer : undefined;
    if (writer !== undefined) return write(writer);
    const object = `${this.#kind.kind} ${namespace}/${name}`;
    return refuse(
      'backend_error',
      `the directory cannot store ${object}: its name must be a DNS label and its namespace must be managed`,
    );
  }
}
