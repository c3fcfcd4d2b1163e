import { refuse, type ClientOutcome } from '@gateway/agent-manager-client';
import type { AgentStore, StoreChange } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import type { ObjectName, Stored, Workload } from '../../src/store/agent-store.ts';

export interface MemoryStoreOptions {
  readonly objects?: readonly KubernetesObject[];
  /** Accepts every model, as a directory without any does. */
  readonly takesAnyModel?: boolean;
  readonly workload?: Workload;
  /** Whether deleted releases and sources stay until `finish`, as with the finalizers of Flux. */
  readonly hasFinalizers?: boolean;
}

export interface MemoryStore extends AgentStore {
  /** Everything that is there, in the order in which it came. */
  readonly contents: () => readonly KubernetesObject[];
  /** Removes the objects that are being deleted. */
  readonly finish: () => void;
}

const ok = <T>(value: T): Promise<ClientOutcome<T>> => Promise.resolve({ ok: true, value });

const NO_WORKLOAD: Workload = { deployment: undefined, pods: [], events: [] };

const freezePlainData = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freezePlainData);
    Object.freeze(value);
  }
  return value;
};

/** Objects by kind, namespace and name. */
class Shelf {
  readonly #stored = new Map<string, Stored<KubernetesObject>>();
  #revision = 0;

  #key(kind: string, { namespace, name }: ObjectName): string {
    return `${kind}/${namespace}/${name}`;
  }

  put(kind: string, object: KubernetesObject): Stored<KubernetesObject> {
    this.#revision += 1;
    const stored = {
      object: freezePlainData(structuredClone(object)),
      revision: String(this.#revision),
    };
    this.#stored.set(this.#key(kind, object.metadata), stored);
    return stored;
  }

  get(kind: string, name: ObjectName): Stored<KubernetesObject> | undefined {
    return this.#stored.get(this.#key(kind, name));
  }

  drop(kind: string, name: ObjectName): boolean {
    return this.#stored.delete(this.#key(kind, name));
  }

  list(kind: string, namespace: string): readonly Stored<KubernetesObject>[] {
    return [...this.#stored]
      .filter(([key]) => key.startsWith(`${kind}/${namespace}/`))
      .map(([, stored]) => stored)
      .sort((a, b) => (a.object.metadata.name < b.object.metadata.name ? -1 : 1));
  }

  all(): readonly KubernetesObject[] {
    return [...this.#stored.values()].map(({ object }) => object);
  }
}

/** A store of agents in memory, with the contract of the port. */
export const memoryStore = (options: MemoryStoreOptions = {}): MemoryStore => {
  const shelf = new Shelf();
  for (const object of options.objects ?? []) shelf.put(object.kind ?? '', object);
  const listeners = new Map<object, readonly [readonly string[], (change: StoreChange) => void]>();
  const notify = (
    kind: StoreChange['kind'],
    { namespace, name }: ObjectName,
    change: StoreChange['change'],
  ): void => {
    for (const [namespaces, listener] of listeners.values())
      if (namespaces.includes(namespace)) listener({ kind, object: { namespace, name }, change });
  };
  const drop = (kind: 'HelmRelease' | 'OCIRepository' | 'Agent', name: ObjectName) => {
    const held = options.hasFinalizers === true ? shelf.get(kind, name)?.object : undefined;
    if (held !== undefined && kind !== 'Agent') {
      const deletionTimestamp = '2026-11-21T10:00:00Z';
      shelf.put(kind, { ...held, metadata: { ...held.metadata, deletionTimestamp } });
      return ok(true);
    }
    const isDropped = shelf.drop(kind, name);
    if (isDropped && kind !== 'Agent') notify(kind, name, 'deleted');
    return ok(isDropped);
  };
  const write = (kind: StoreChange['kind'], object: KubernetesObject) => {
    const stored = shelf.put(kind, object);
    notify(kind, object.metadata, 'written');
    return stored;
  };
  const nameOf = ({ metadata }: KubernetesObject): string =>
    `HelmRelease ${metadata.namespace}/${metadata.name}`;

  return {
    contents: () => shelf.all(),
    finish: () => {
      for (const { kind = '', metadata } of shelf.all())
        if (metadata['deletionTimestamp'] !== undefined) shelf.drop(kind, metadata);
    },
    listReleases: (namespace) => ok(shelf.list('HelmRelease', namespace)),
    getRelease: (name) => ok(shelf.get('HelmRelease', name)),
    createRelease: (release) =>
      shelf.get('HelmRelease', release.metadata) === undefined
        ? ok(write('HelmRelease', release))
        : Promise.resolve(refuse('conflict', `${nameOf(release)} already exists`)),
    replaceRelease: (release, revision) =>
      shelf.get('HelmRelease', release.metadata)?.revision === revision
        ? ok(write('HelmRelease', release))
        : Promise.resolve(refuse('conflict', `${nameOf(release)} has changed since it was read`)),
    deleteRelease: (name) => drop('HelmRelease', name),
    listAgents: (namespace) => ok(shelf.list('Agent', namespace).map(({ object }) => object)),
    getAgent: (name) => ok(shelf.get('Agent', name)?.object),
    deleteAgent: (name) => drop('Agent', name),
    getSource: (name) => ok(shelf.get('OCIRepository', name)?.object),
    createSource: (source) => {
      if (shelf.get('OCIRepository', source.metadata) !== undefined) return ok(false);
      write('OCIRepository', source);
      return ok(true);
    },
    deleteSource: (name) => drop('OCIRepository', name),
    modelConfigs: (namespace) => {
      const listed = shelf.list('ModelConfig', namespace).map(({ object }) => object);
      return ok({ listed, isOpen: options.takesAnyModel === true && listed.length === 0 });
    },
    workload: () => ok(options.workload ?? NO_WORKLOAD),
    watch: (namespaces, listener) => {
      const subscription = {};
      listeners.set(subscription, [namespaces, listener]);
      return () => void listeners.delete(subscription);
    },
    check: () => ok(true),
    close: () => Promise.resolve(),
  };
};
