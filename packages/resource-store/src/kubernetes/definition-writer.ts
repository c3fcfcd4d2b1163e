import { isJsonObject, type ServerWriteOutcome, type WriteOutcome } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import type { StoredSecret } from '@gateway/client-config';
import { DEFAULT_NAMESPACE, type ResourceKind } from '@gateway/crd-schemas';
import { KeyedQueue, type Mapping } from '@gateway/files';
import {
  type ApiConnection,
  type ApiFailure,
  applyObject,
  toFields,
  hasStatus,
  isNotFound,
  isObjectKey,
  formatObjectPath,
  type VersionedObject,
  parseVersionedObject,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import type { FollowedDefinitions } from './followed-definitions.ts';
import { formatObjectSource } from './interpret-object.ts';
import { hasSecretReference, type SecretObjects, toSecretKey } from './secret-objects.ts';
import type { WrittenSecrets } from '../port/resource-store.ts';
import type { ResourceKey } from '../port/resources.ts';

/** The most characters of a name that a client of the API chose, in a sentence. */
const MAX_NAME_CHARS = 253;

const quoteName = (name: unknown): string =>
  typeof name === 'string' ? ` ${JSON.stringify(name.slice(0, MAX_NAME_CHARS))}` : '';

const findController = ({
  ownerReferences,
}: Readonly<Record<string, unknown>>): string | undefined => {
  const references = Array.isArray(ownerReferences) ? ownerReferences.map(toFields) : [];
  const controller = references.find((reference) => reference['controller'] === true);
  return controller && `${String(controller['kind'])}${quoteName(controller['name'])}`;
};

/** The labels and annotations with which tools mark their objects, and what each names. */
const MARKS = [
  ['labels', 'kustomize.toolkit.fluxcd.io/name', 'the Kustomization'],
  ['labels', 'helm.toolkit.fluxcd.io/name', 'the HelmRelease'],
  ['annotations', 'meta.helm.sh/release-name', 'the Helm release'],
  ['annotations', 'argocd.argoproj.io/tracking-id', 'the Argo CD application'],
] as const;

/**
 * Returns the controller or the tool that an object belongs to, for a sentence; undefined for an object of its own. It would create a deleted
 * object again, as soon as it compares it with its source.
 */
export const findObjectOwner = (metadata: unknown): string | undefined => {
  const fields = toFields(metadata);
  const controller = findController(fields);
  if (controller !== undefined) return controller;
  for (const [place, key, subject] of MARKS) {
    const marks = toFields(fields[place]);
    if (Object.hasOwn(marks, key)) return `${subject}${quoteName(marks[key])}`;
  }
  return undefined;
};

/** The fields that a manager owns, as the API writes them: `{"f:spec": {"f:url": {}}}`. */
type FieldSet = Readonly<Record<string, unknown>>;

const findMember = (set: FieldSet | undefined, key: string): FieldSet | undefined => {
  const name = `f:${key}`;
  return set !== undefined && Object.hasOwn(set, name) ? toFields(set[name]) : undefined;
};

const isOfSpec = (entry: Readonly<Record<string, unknown>>): boolean =>
  entry['subresource'] === undefined;

const readEntries = (metadata: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const { managedFields } = toFields(metadata);
  return Array.isArray(managedFields) ? managedFields.map(toFields).filter(isOfSpec) : [];
};

const readManagerFields = (metadata: unknown, manager: string): FieldSet =>
  toFields(
    readEntries(metadata).find(
      (entry) => entry['manager'] === manager && entry['operation'] === 'Apply',
    )?.['fieldsV1'],
  );

/** Returns another manager that owns the field at this path. */
const findOtherOwner = (
  metadata: unknown,
  path: readonly string[],
  manager: string,
): string | undefined =>
  readEntries(metadata)
    .filter((entry) => entry['manager'] !== manager || entry['operation'] !== 'Apply')
    .filter((entry) => {
      const owned: FieldSet | undefined = path.reduce<FieldSet | undefined>(
        findMember,
        toFields(entry['fieldsV1']),
      );
      return owned !== undefined;
    })
    .map((entry) => String(entry['manager']))
    .at(0);

/** A value before and after a change, and the owned fields in it. */
interface Change {
  readonly before: unknown;
  readonly after: unknown;
  readonly owned: FieldSet | undefined;
}

/** Returns the part of a value to apply: what the manager owns already, and what changes. Undefined for none. Lists are whole. */
const selectPart = ({ before, after, owned }: Change): unknown => {
  if (!isJsonObject(after) || (!isJsonObject(before) && before !== undefined))
    return owned !== undefined || !isDeepStrictEqual(before, after) ? after : undefined;
  const parts = Object.entries(after).flatMap(([key, value]) => {
    const known = isJsonObject(before) && Object.hasOwn(before, key) ? before[key] : undefined;
    const part = selectPart({ before: known, after: value, owned: findMember(owned, key) });
    return part === undefined ? [] : [[key, part] as const];
  });
  if (parts.length > 0) return Object.fromEntries(parts);
  return before === undefined ? {} : undefined;
};

/** Returns the fields of a document to apply, without the identity of the object. */
const selectFields = (
  { before, after }: { readonly before: Mapping; readonly after: Mapping },
  owned: FieldSet,
): Mapping => {
  const partOf = (key: string): unknown =>
    selectPart({ before: before[key], after: after[key], owned: findMember(owned, key) });
  const labelled = (key: string): unknown =>
    selectPart({
      before: toFields(before['metadata'])[key],
      after: toFields(after['metadata'])[key] ?? {},
      owned: findMember(findMember(owned, 'metadata'), key),
    });
  const metadata = Object.fromEntries(
    ['labels', 'annotations'].flatMap((key) => {
      const part = labelled(key);
      return isJsonObject(part) && Object.keys(part).length > 0 ? [[key, part]] : [];
    }),
  );
  const spec = partOf('spec');
  return { metadata, ...(spec === undefined ? {} : { spec }) };
};

/** Returns the paths that a value has before a change and no longer after it. */
const listRemovals = (
  before: unknown,
  after: unknown,
  path: readonly string[],
): readonly (readonly string[])[] => {
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  return Object.entries(before).flatMap(([key, value]) =>
    Object.hasOwn(after, key) ? listRemovals(value, after[key], [...path, key]) : [[...path, key]],
  );
};

/** Returns why an object cannot be created: its name is free again when its finalizers have ended. */
const formatPendingDeletion = (kind: ResourceKind, key: ResourceKey): string =>
  `${kind} ${formatObjectSource(key)} is still being deleted; try again when it is gone`;

/** Returns why an object was not deleted: the name has another object than the object that was read. */
const formatRecreation = (kind: ResourceKind, key: ResourceKey): string =>
  `${kind} ${formatObjectSource(key)} was deleted and created again meanwhile, and the new one is kept; try again to delete it`;

export type DefinitionWriteResult = ServerWriteOutcome;

/** A changed definition, or the result without a write. */
export type EditedDefinition<Refusal> =
  | {
      readonly ok: true;
      /** Has the name and the namespace of the definition that it replaces. */
      readonly document: Mapping;
      /** Values of the Secret of a server that the document refers to. They are written first. */
      readonly secrets?: readonly StoredSecret[];
    }
  | { readonly ok: false; readonly result: Refusal | DefinitionWriteResult };

export type DefinitionEdit<Refusal> = (before: Mapping) => EditedDefinition<Refusal>;

export interface DefinitionWriterOptions {
  readonly connection: ApiConnection;
  readonly followed: FollowedDefinitions;
  readonly secrets: SecretObjects;
  /** The namespace of new definitions without one. */
  readonly namespace: string;
  /** Returns the problems of a document, one line each. An unknown field that it had before is not one. */
  readonly check: (kind: ResourceKind, document: Mapping, before?: Mapping) => readonly string[];
  /** Resolves when the current state shows the objects. */
  readonly settle: () => Promise<void>;
}

/** A definition as the API has it. */
interface Live {
  readonly versioned: VersionedObject;
  /** With `managedFields`. */
  readonly metadata: unknown;
  readonly document: Mapping;
}

const DONE: WriteOutcome = { kind: 'done' };
const EXISTS: WriteOutcome = { kind: 'exists' };
const MISSING: WriteOutcome = { kind: 'missing' };

const createWriteFailure = (text: string): WriteOutcome => ({ kind: 'failed', text });

/** No object has this version, so that an apply with it creates an object and never changes one. */
const NO_VERSION = '1';
/** The maximum number of times that a change is made again because the object was modified meanwhile. */
const MAX_ATTEMPTS = 5;

const isConflictOfFields = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && (failure.message ?? '').startsWith('Apply failed');

/** Writes definitions by server-side apply. Fields of other managers are not taken over. Writes of one key run one after the other. */
export class DefinitionWriter {
  readonly #options: DefinitionWriterOptions;
  readonly #queue = new KeyedQueue();
  #isClosed = false;

  constructor(options: DefinitionWriterOptions) {
    this.#options = options;
  }

  /** Creates an object, which may refer to these values of the Secret of a server; never changes an existing one. */
  create(
    kind: ResourceKind,
    document: Mapping,
    secrets: readonly StoredSecret[] = [],
  ): Promise<DefinitionWriteResult> {
    const { metadata } = document;
    const { name, namespace } = toFields(metadata);
    const given = typeof namespace === 'string' ? namespace : DEFAULT_NAMESPACE;
    const key = {
      namespace: this.#isDefault(given) ? this.#options.namespace : given,
      name: typeof name === 'string' ? name : '',
    };
    const placed = { ...document, metadata: { ...toFields(metadata), namespace: key.namespace } };
    return this.#run(kind, key, () => this.#create(kind, key, { document: placed, secrets }));
  }

  /** Changes an object. The edit is made on the version that it replaces. */
  change<Refusal = never>(
    kind: ResourceKind,
    given: ResourceKey,
    edit: DefinitionEdit<Refusal>,
  ): Promise<DefinitionWriteResult | Refusal> {
    const key = this.#findKey(kind, given);
    return this.#run(kind, key, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const result = await this.#change(kind, key, edit);
        if (result !== undefined) return result;
        if (attempt === MAX_ATTEMPTS)
          return createWriteFailure(
            `${kind} ${formatObjectSource(key)} is being changed by another client; try again`,
          );
      }
    });
  }

  /** Deletes an object. */
  remove(kind: ResourceKind, given: ResourceKey): Promise<WriteOutcome> {
    const key = this.#findKey(kind, given);
    return this.#run(kind, key, () => this.#remove(kind, key));
  }

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.idle();
  }

  #run<R>(kind: ResourceKind, key: ResourceKey, task: () => Promise<R>): Promise<R | WriteOutcome> {
    if (this.#isClosed) return Promise.resolve(createWriteFailure('the store is closed'));
    return this.#queue.run(`${kind}/${formatObjectSource(key)}`, task);
  }

  /** The default namespace stands for that of the gateway, unless its definitions are used. */
  #isDefault(namespace: string): boolean {
    return namespace === DEFAULT_NAMESPACE && !this.#options.followed.isFollowed(namespace);
  }

  /** Returns the key of a definition whose namespace the caller may not know: that of the only one with this name. */
  #findKey(kind: ResourceKind, key: ResourceKey): ResourceKey {
    const found = this.#options.followed.find(kind, key)?.object.metadata;
    return found === undefined ? key : { namespace: found.namespace, name: found.name };
  }

  async #create(
    kind: ResourceKind,
    key: ResourceKey,
    { document, secrets }: Omit<Extract<EditedDefinition<never>, { ok: true }>, 'ok'>,
  ): Promise<DefinitionWriteResult> {
    const { followed, connection, check } = this.#options;
    const issues = check(kind, document);
    if (issues.length > 0) return { kind: 'invalid', issues };
    if (!followed.isFollowed(key.namespace))
      return createWriteFailure(
        `the namespace ${key.namespace} is not one of kubernetes.namespaces`,
      );
    const written = await this.#writeSecrets(kind, key, secrets);
    if (!written.ok) return written.result;
    const { labels, annotations } = toFields(document['metadata']);
    const created = await applyObject(connection, {
      kind: followed.kinds[kind],
      key,
      fieldManager: connection.fieldManager,
      fields: {
        metadata: { labels, annotations, resourceVersion: NO_VERSION },
        spec: document['spec'],
      },
    });
    if (created.ok) {
      await written.own(String(created.value.object.metadata['uid']));
      return this.#written(kind, created.value);
    }
    await written.undo();
    if (!hasStatus(created.failure, 409)) return this.#describeFailure(kind, key, created.failure);
    const live = await this.#read(kind, key);
    return 'kind' in live && live.kind === 'missing'
      ? createWriteFailure(formatPendingDeletion(kind, key))
      : EXISTS;
  }

  /** Writes the values of a new server. A Secret of another server with its name stays as it is. */
  async #writeSecrets(
    kind: ResourceKind,
    key: ResourceKey,
    secrets: readonly StoredSecret[] = [],
  ): Promise<
    | Extract<WrittenSecrets, { ok: true }>
    | { readonly ok: false; readonly result: DefinitionWriteResult }
  > {
    const live = secrets.length === 0 ? MISSING : await this.#read(kind, key);
    if (!('kind' in live)) return { ok: false, result: EXISTS };
    if (live.kind !== 'missing') return { ok: false, result: live };
    const written = await this.#options.secrets.write(key, secrets);
    return written.ok ? written : { ok: false, result: createWriteFailure(written.text) };
  }

  /** Changes the present version. Returns undefined when there is a newer one. */
  async #change<Refusal>(
    kind: ResourceKind,
    key: ResourceKey,
    edit: DefinitionEdit<Refusal>,
  ): Promise<DefinitionWriteResult | Refusal | undefined> {
    const { followed, connection, check } = this.#options;
    const live = await this.#read(kind, key);
    if ('kind' in live) return live;
    const { document: before, metadata, versioned } = live;
    const edited = edit(before);
    if (!edited.ok) return edited.result;
    const { document: after, secrets = [] } = edited;
    const issues = check(kind, after, before);
    if (issues.length > 0) return { kind: 'invalid', issues };
    const { fieldManager } = connection;
    const kept = listRemovals(before['spec'], after['spec'], ['spec']).find(
      (path) => findOtherOwner(metadata, path, fieldManager) !== undefined,
    );
    if (kept !== undefined)
      return createWriteFailure(
        `${kept.join('.')} of ${kind} ${formatObjectSource(key)} is managed by ${JSON.stringify(findOtherOwner(metadata, kept, fieldManager))}; remove it there`,
      );
    const { uid } = versioned.object.metadata;
    const written = await this.#options.secrets.write(key, secrets, String(uid));
    if (!written.ok) return createWriteFailure(written.text);
    const { metadata: labels, ...fields } = selectFields(
      { before, after },
      readManagerFields(metadata, fieldManager),
    );
    const applied = await applyObject(connection, {
      kind: followed.kinds[kind],
      key,
      fieldManager,
      fields: { ...fields, metadata: { ...toFields(labels), resourceVersion: versioned.revision } },
    });
    if (applied.ok) return this.#written(kind, applied.value);
    await written.undo();
    const isStale = hasStatus(applied.failure, 409) && !isConflictOfFields(applied.failure);
    return isStale ? undefined : this.#describeFailure(kind, key, applied.failure);
  }

  async #read(kind: ResourceKind, key: ResourceKey): Promise<Live | WriteOutcome> {
    const { connection, followed } = this.#options;
    if (!isObjectKey(key) || !followed.isFollowed(key.namespace)) return MISSING;
    const read = await connection.send({
      method: 'GET',
      path: formatObjectPath(followed.kinds[kind], key),
    });
    if (!read.ok) return this.#describeFailure(kind, key, read.failure);
    const versioned = parseVersionedObject(read.value, followed.kinds[kind]);
    if (versioned === undefined) return this.#describeFailure(kind, key, { kind: 'unreadable' });
    const { apiVersion, metadata, spec } = versioned.object;
    if (metadata.deletionTimestamp !== undefined) return MISSING;
    const { name, namespace, labels, annotations } = metadata;
    const document = {
      apiVersion,
      kind,
      spec,
      metadata: {
        name,
        namespace,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
      },
    };
    return { versioned, metadata: read.value['metadata'], document };
  }

  async #remove(kind: ResourceKind, key: ResourceKey): Promise<WriteOutcome> {
    const { connection, followed, settle } = this.#options;
    const live = await this.#read(kind, key);
    if ('kind' in live) return live;
    const owner = findObjectOwner(live.metadata);
    if (owner !== undefined)
      return createWriteFailure(
        `${kind} ${formatObjectSource(key)} belongs to ${owner}; delete it there`,
      );
    const { secrets } = this.#options;
    const use = kind === 'MCPServer' ? this.#findSecretUse(key, live.document['spec']) : 'none';
    const kept = use === 'shared' ? await secrets.release(key) : undefined;
    if (kept !== undefined) return createWriteFailure(kept);
    const path = formatObjectPath(followed.kinds[kind], key);
    const { uid } = live.versioned.object.metadata;
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    const removed = await connection.send({ method: 'DELETE', path, body });
    if (!removed.ok && hasStatus(removed.failure, 409))
      return createWriteFailure(formatRecreation(kind, key));
    if (!removed.ok) return this.#describeFailure(kind, key, removed.failure);
    const known = followed.get(kind, key);
    if (known !== undefined) followed.remove(kind, known);
    const problem = use === 'own' ? await secrets.remove(key) : undefined;
    await settle();
    return problem === undefined
      ? DONE
      : createWriteFailure(
          `${kind} ${formatObjectSource(key)} is deleted, but not its secrets: ${problem}`,
        );
  }

  /** Returns which servers refer to the Secret of a server: none, it alone, or others too. */
  #findSecretUse({ namespace, name }: ResourceKey, own: unknown): 'none' | 'own' | 'shared' {
    const secret = toSecretKey({ namespace, name }).name;
    if (!hasSecretReference(own, secret)) return 'none';
    const isShared = this.#options.followed
      .objects('MCPServer')
      .some(
        ({ object: { metadata, spec } }) =>
          (metadata.name !== name || metadata.namespace !== namespace) &&
          hasSecretReference(spec, secret),
      );
    return isShared ? 'shared' : 'own';
  }

  async #written(kind: ResourceKind, object: VersionedObject): Promise<WriteOutcome> {
    this.#options.followed.add(kind, object);
    await this.#options.settle();
    return DONE;
  }

  #describeFailure(kind: ResourceKind, key: ResourceKey, failure: ApiFailure): WriteOutcome {
    const { kinds } = this.#options.followed;
    if (isNotFound(failure, kinds[kind], key)) return MISSING;
    return createWriteFailure(
      formatFailureSentence(failure, { verb: 'write', kind: kinds[kind], ...key }),
    );
  }
}
