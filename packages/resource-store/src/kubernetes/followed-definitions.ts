import {
  API_VERSION,
  DEFAULT_NAMESPACE,
  MAX_RESOURCE_BYTES,
  type ResourceKind,
} from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  type ApiKind,
  ObjectInformer,
  type VersionedObject,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import type { ResourceKey, ResourceProblem } from '../port/resources.ts';

/** The kinds of definitions. */
export const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

export type DefinitionKinds = Readonly<Record<ResourceKind, ApiKind>>;

/** Returns the kinds in an API group. @spec §1.5, §9.1 */
export const createDefinitionKinds = (group: string): DefinitionKinds => ({
  MCPServer: { kind: 'MCPServer', group, version: API_VERSION, resource: 'mcpservers' },
  Workflow: { kind: 'Workflow', group, version: API_VERSION, resource: 'workflows' },
});

/** The source of problems of the API itself. */
const API_SOURCE = 'Kubernetes API';

/** The definitions of a kind in a namespace, or in all. */
interface Part {
  readonly kind: ResourceKind;
  readonly namespace: string | undefined;
  readonly informer: ObjectInformer;
  /** The sentence about the present outage. */
  problem: string | undefined;
  /** Resolves when the objects were listed, or could not be listed twice. */
  readonly started: Promise<void>;
  readonly markStarted: () => void;
}

/** The objects of both kinds in the namespaces of a gateway. */
export class FollowedDefinitions {
  readonly kinds: DefinitionKinds;
  readonly #connection: ApiConnection;
  readonly #namespaces: readonly string[];
  readonly #allRead: Promise<void>;
  #parts: readonly Part[] = [];
  #markRead: () => void = () => undefined;
  #onChange: () => void = () => undefined;

  /** @param namespaces all when empty */
  constructor(connection: ApiConnection, apiGroup: string, namespaces: readonly string[]) {
    this.kinds = createDefinitionKinds(apiGroup);
    this.#connection = connection;
    this.#namespaces = namespaces;
    this.#allRead = new Promise((resolve) => {
      this.#markRead = resolve;
    });
  }

  /** @param onChange called after each change of an object or of a problem; must not throw */
  start(onChange: () => void): void {
    this.#onChange = onChange;
    const places = this.#namespaces.length === 0 ? [undefined] : this.#namespaces;
    this.#parts = KINDS.flatMap((kind) => places.map((place) => this.#follow(kind, place)));
  }

  /** Resolves when every kind was listed in every namespace, or could not be listed twice. */
  async started(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.started));
  }

  /** Resolves when every kind was listed in every namespace. */
  async read(): Promise<void> {
    await this.#allRead;
  }

  /** Returns the objects of a kind that are not being deleted. */
  objects(kind: ResourceKind): readonly VersionedObject[] {
    return this.#listParts(kind)
      .flatMap(({ informer }) => informer.objects())
      .filter(({ object }) => object.metadata.deletionTimestamp === undefined);
  }

  /** Returns an object, also one that is being deleted. */
  get(kind: ResourceKind, key: ResourceKey): VersionedObject | undefined {
    return this.#findPart(kind, key)?.informer.get(key);
  }

  /** Returns an object; for the default namespace, which callers use for an unknown one, also the only object with the name. */
  find(kind: ResourceKind, key: ResourceKey): VersionedObject | undefined {
    const exact = this.get(kind, key);
    if (exact !== undefined || key.namespace !== DEFAULT_NAMESPACE) return exact;
    const named = this.objects(kind).filter(({ object }) => object.metadata.name === key.name);
    return named.length === 1 ? named[0] : undefined;
  }

  isFollowed(namespace: string): boolean {
    return this.#namespaces.length === 0 || this.#namespaces.includes(namespace);
  }

  add(kind: ResourceKind, object: VersionedObject): void {
    this.#findPart(kind, object.object.metadata)?.informer.add(object);
  }

  /** Removes an object that the API has deleted. */
  remove(kind: ResourceKind, object: VersionedObject): void {
    this.#findPart(kind, object.object.metadata)?.informer.remove(object);
  }

  /** Lists all objects again. Resolves also when that fails; the last known objects stay. */
  async refresh(): Promise<void> {
    await Promise.all(
      this.#parts.map(async (part) => {
        const refreshed = await part.informer.refresh();
        if (refreshed.ok) this.#setProblem(part, undefined);
        else this.#fail(part, refreshed.failure, 'list');
      }),
    );
  }

  /** Returns the problems of the API, one for each present outage. */
  problems(): readonly ResourceProblem[] {
    return this.#parts.flatMap(({ kind, problem }) =>
      problem === undefined ? [] : [{ source: API_SOURCE, kind, message: problem }],
    );
  }

  close(): void {
    for (const { informer } of this.#parts) informer.stop();
  }

  #listParts(kind: ResourceKind): readonly Part[] {
    return this.#parts.filter((part) => part.kind === kind);
  }

  #findPart(kind: ResourceKind, { namespace }: ResourceKey): Part | undefined {
    return this.#listParts(kind).find((part) => (part.namespace ?? namespace) === namespace);
  }

  #follow(kind: ResourceKind, namespace: string | undefined): Part {
    let markStarted = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      markStarted = resolve;
    });
    const part: Part = {
      kind,
      namespace,
      problem: undefined,
      started,
      markStarted,
      informer: new ObjectInformer(this.#connection, {
        kind: this.kinds[kind],
        maxObjectBytes: MAX_RESOURCE_BYTES,
        ...(namespace === undefined ? {} : { namespace }),
        onChange: () => {
          if (part.informer.isComplete) part.markStarted();
          if (this.#parts.every(({ informer }) => informer.isComplete)) this.#markRead();
          this.#onChange();
        },
        onFailure: (failure, verb) => {
          this.#fail(part, failure, verb);
        },
        onRecovery: () => {
          this.#setProblem(part, undefined);
        },
      }),
    };
    return part;
  }

  #fail(part: Part, failure: ApiFailure, verb: 'list' | 'watch'): void {
    const { kind, namespace } = part;
    const place = namespace === undefined ? {} : { namespace };
    const facts = { verb, kind: this.kinds[kind], ...place };
    this.#setProblem(part, formatFailureSentence(failure, facts));
  }

  #setProblem(part: Part, problem: string | undefined): void {
    if (part.problem === problem) return;
    part.problem = problem;
    if (problem !== undefined) part.markStarted();
    this.#onChange();
  }
}
