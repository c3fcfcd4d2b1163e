import { refused, type Answer } from '@gateway/agent-manager-client';
import type { KubernetesObject, ObjectName, Stored } from '../store/objects.ts';
import type { StoreChange } from '../store/agent-store.ts';
import type { KeyedFileLocks } from '@gateway/files';
import { isLabel } from './file-name.ts';
import type { FolderReports } from './folder-reports.ts';
import { ManifestFolder } from './manifest-folder.ts';
import type { ManifestKind } from './manifest-kind.ts';
import { ManifestWriter } from './manifest-writer.ts';

/** The directory and the listeners. */
export interface ManifestsParts {
  readonly root: string;
  readonly namespaces: readonly string[];
  readonly locks: KeyedFileLocks;
  readonly reports: FolderReports;
  readonly onWarning: (sentence: string) => void;
  readonly onChange: (change: StoreChange) => void;
}

interface Place {
  readonly folder: ManifestFolder;
  readonly writer: ManifestWriter;
}

/** The objects of one kind, in a folder per managed namespace. Never rejects. */
export class Manifests {
  readonly #kind: ManifestKind;
  readonly #places: ReadonlyMap<string, Place>;

  constructor(kind: ManifestKind, parts: ManifestsParts) {
    const { root, namespaces, locks, reports, onWarning, onChange } = parts;
    this.#kind = kind;
    const placeOf = (namespace: string): Place => {
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
    this.#places = new Map(namespaces.filter(isLabel).map((name) => [name, placeOf(name)]));
  }

  /** Lists the objects, sorted by name. */
  async list(namespace: string): Promise<Answer<readonly Stored<KubernetesObject>[]>> {
    const listed = await this.#places.get(namespace)?.folder.list();
    if (listed === undefined) return { ok: true, value: [] };
    return listed.ok ? listed : refused('backend_error', listed.problem);
  }

  /** Returns an object. An invalid file is a refusal with the reason. */
  async get({
    namespace,
    name,
  }: ObjectName): Promise<Answer<Stored<KubernetesObject> | undefined>> {
    const folder = isLabel(name) ? this.#places.get(namespace)?.folder : undefined;
    const found = await folder?.get(name);
    if (found === undefined) return { ok: true, value: undefined };
    if (!found.ok) return refused('backend_error', found.problem);
    const problem = found.value?.problem;
    return problem === undefined
      ? { ok: true, value: found.value?.stored }
      : refused('backend_error', problem);
  }

  /** Creates an object. Returns undefined when its name is in use. */
  create(object: KubernetesObject): Promise<Answer<Stored<KubernetesObject> | undefined>> {
    return this.#write(object.metadata, (writer) => writer.create(object));
  }

  /** Replaces an object. Returns undefined when it has another revision or is missing. */
  replace(
    object: KubernetesObject,
    revision: string,
  ): Promise<Answer<Stored<KubernetesObject> | undefined>> {
    return this.#write(object.metadata, (writer) => writer.replace(object, revision));
  }

  /** Deletes an object. Returns false when it is missing. */
  delete(object: ObjectName): Promise<Answer<boolean>> {
    return this.#write(object, (writer) => writer.delete(object.name));
  }

  /** Returns the problems of files whose object is unknown. */
  async unknown(namespace: string): Promise<Answer<readonly string[]>> {
    const listed = await this.list(namespace);
    if (!listed.ok) return listed;
    return { ok: true, value: this.#places.get(namespace)?.folder.index.unknown() ?? [] };
  }

  /** Reads every namespace, so that watchers are notified. */
  async look(): Promise<void> {
    await Promise.all([...this.#places.values()].map(({ folder }) => folder.list()));
  }

  /** The directories that writes go to. */
  get directories(): readonly string[] {
    return [...this.#places.values()].map(({ folder }) => folder.reader.directory);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#places.values()].map(({ folder }) => folder.close()));
  }

  async #write<T>(
    { namespace, name }: ObjectName,
    write: (writer: ManifestWriter) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const writer = isLabel(name) ? this.#places.get(namespace)?.writer : undefined;
    if (writer !== undefined) return write(writer);
    const object = `${this.#kind.kind} ${namespace}/${name}`;
    return refused('backend_error', `the directory has no place for ${object}`);
  }
}
