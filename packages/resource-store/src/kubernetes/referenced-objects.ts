import { DEFAULT_NAMESPACE } from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiKind,
  toFields,
  isNotFound,
  isObjectKey,
  ObjectInformer,
  formatObjectPath,
  type VersionedObject,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import type {
  ReferencedKey,
  ReferencedText,
  ReferencedTexts,
  SecretValue,
  SecretValueReference,
  SecretValues,
} from '../port/resource-store.ts';

/**
 * Returns at most `max` items, taken from the groups in turn, in their order: a group with many items displaces none of a group with few.
 *
 * @param groupOf returns the group of an item
 */
export const selectFairShare = <Item>(
  items: readonly Item[],
  max: number,
  groupOf: (item: Item) => string,
): readonly Item[] => {
  if (items.length <= max) return items;
  const turns = new Map<string, number>();
  const turnOf = (item: Item): number => {
    const turn = turns.get(groupOf(item)) ?? 0;
    turns.set(groupOf(item), turn + 1);
    return turn;
  };
  return items
    .map((item) => ({ item, turn: turnOf(item) }))
    .sort((a, b) => a.turn - b.turn)
    .slice(0, max)
    .map(({ item }) => item);
};

/** More than any variable or header may have, in characters of the encoded value. */
const MAX_CHARS = 512 * 1024;

/** The encoded value of a key, or the fault for which it is not kept. */
type KeptValue = { readonly encoded: string } | { readonly fault: string };

const findOwnValue = (fields: unknown, key: string): unknown => {
  const values = toFields(fields);
  return Object.hasOwn(values, key) ? values[key] : undefined;
};

const findDataValue = (object: unknown, key: string): KeptValue | undefined => {
  const { data, binaryData } = toFields(object);
  const encoded = findOwnValue(data, key);
  if (typeof encoded === 'string')
    return encoded.length > MAX_CHARS ? { fault: 'is too long' } : { encoded };
  return findOwnValue(binaryData, key) === undefined
    ? undefined
    : { fault: 'is in binaryData: move it to data, as text' };
};

/** Returns a function that keeps the values of these keys of a Secret or ConfigMap, and nothing else, which may be large or secret. */
export const createKeyFilter =
  (keys: ReadonlySet<string>) =>
  ({ object, revision }: VersionedObject): VersionedObject => {
    const { name, namespace, uid } = object.metadata;
    const values = [...keys].flatMap((key) => {
      const value = findDataValue(object, key);
      return value === undefined ? [] : [[key, value] as const];
    });
    return {
      revision,
      object: { metadata: { name, namespace, uid }, spec: Object.fromEntries(values) },
    };
  };

/** Returns undefined for bytes that are not text. */
const decodeText = (encoded: string): string | undefined => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};

/** Returns the text without what editors add: a byte order mark, and a line break at the end. */
const trimText = (text: string): string => text.replace(/^\u{feff}/u, '').replace(/\r?\n$/u, '');

/** Returns the text of a key of an object that {@link createKeyFilter} has returned. */
export const readKeptText = (
  { object }: VersionedObject,
  { kind, namespace, name, key }: ReferencedKey,
): ReferencedText => {
  const place = `the key ${JSON.stringify(key)} of ${kind} ${namespace}/${name}`;
  const kept = findOwnValue(object.spec, key) as KeptValue | undefined;
  if (kept === undefined) return { ok: false, code: 'absent', reason: `${place} does not exist` };
  if ('fault' in kept) return { ok: false, code: 'unreadable', reason: `${place} ${kept.fault}` };
  const text = kind === 'Secret' ? decodeText(kept.encoded) : kept.encoded;
  return text === undefined
    ? { ok: false, code: 'unreadable', reason: `${place} is not text in UTF-8` }
    : { ok: true, text: trimText(text) };
};

type Kind = ReferencedKey['kind'];

export const SECRET: ApiKind = { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' };

const KINDS: Readonly<Record<Kind, ApiKind>> = {
  Secret: SECRET,
  ConfigMap: { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' },
};

/** Each is a list and a watch by name. */
const MAX_OBJECTS = 256;

type ObjectReference = Omit<ReferencedKey, 'key'>;

interface Followed {
  readonly informer: ObjectInformer;
  /** The keys whose values are in memory. */
  readonly keys: ReadonlySet<string>;
  /** The sentence about the present outage. */
  problem: string | undefined;
}

const toId = ({ kind, namespace, name }: ObjectReference): string => `${kind}/${namespace}/${name}`;

interface NamedKeys {
  readonly reference: ObjectReference;
  readonly keys: Set<string>;
}

/** Returns the keys of each object, at most of as many objects as are followed. Each namespace has an equal share of them. */
const groupKeys = (keys: readonly ReferencedKey[]): ReadonlyMap<string, NamedKeys> => {
  const objects = new Map<string, NamedKeys>();
  for (const { key, ...reference } of keys) {
    const id = toId(reference);
    const known = objects.get(id);
    if (known !== undefined) known.keys.add(key);
    else if (isObjectKey(reference)) objects.set(id, { reference, keys: new Set([key]) });
  }
  return new Map(
    selectFairShare([...objects], MAX_OBJECTS, ([, { reference }]) => reference.namespace),
  );
};

/**
 * Secrets and ConfigMaps of a cluster, each followed by its name, so that a Role can permit exactly these. Needs the permissions to list and
 * to watch each of them.
 */
export class ReferencedObjects implements ReferencedTexts {
  readonly #connection: ApiConnection;
  readonly #followed = new Map<string, Followed>();
  readonly #listeners = new Set<() => void>();

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  readonly follow = async (keys: readonly ReferencedKey[]): Promise<void> => {
    const wanted = groupKeys(keys);
    for (const [id, followed] of this.#followed) {
      const known = wanted.get(id);
      if (known !== undefined && [...known.keys].every((key) => followed.keys.has(key))) continue;
      followed.informer.stop();
      this.#followed.delete(id);
    }
    for (const [id, { reference, keys: ofObject }] of wanted)
      if (!this.#followed.has(id)) this.#followed.set(id, this.#begin(reference, ofObject));
    await Promise.all([...this.#followed.values()].map(({ informer }) => informer.waitForSync()));
  };

  readonly read = (key: ReferencedKey): ReferencedText => {
    const place = `${key.kind} ${key.namespace}/${key.name}`;
    const followed = this.#followed.get(toId(key));
    if (followed === undefined)
      return {
        ok: false,
        code: 'unreadable',
        reason: `${place} is not read, because servers name more than ${String(MAX_OBJECTS)} Secrets and ConfigMaps`,
      };
    const { informer, problem } = followed;
    const object = informer.get(key);
    if (object !== undefined) return readKeptText(object, key);
    if (informer.isComplete)
      return { ok: false, code: 'absent', reason: `${place} does not exist` };
    return problem === undefined
      ? { ok: false, code: 'pending', reason: `${place} was not read yet` }
      : { ok: false, code: 'unreadable', reason: problem };
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  readonly close = (): void => {
    this.#listeners.clear();
    for (const { informer } of this.#followed.values()) informer.stop();
    this.#followed.clear();
  };

  #begin({ kind, namespace, name }: ObjectReference, keys: ReadonlySet<string>): Followed {
    const followed: Followed = {
      keys,
      problem: undefined,
      informer: new ObjectInformer(this.#connection, {
        kind: KINDS[kind],
        namespace,
        selector: { fieldSelector: `metadata.name=${name}` },
        keep: createKeyFilter(keys),
        onChange: () => {
          followed.problem = undefined;
          this.#notify();
        },
        onFailure: (failure, verb) => {
          followed.problem = formatFailureSentence(failure, {
            verb,
            kind: KINDS[kind],
            namespace,
            name,
          });
          this.#notify();
        },
        onRecovery: () => {
          followed.problem = undefined;
          this.#notify();
        },
      }),
    };
    return followed;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Far more than a client secret or a private key needs. */
const MAX_BYTES = 64 * 1024;
const CONTROLS = /[\u0000-\u001f\u007f]/u;

const createRefusal = (reason: string): SecretValue => ({ ok: false, reason });

/** Returns the text of a value, which is one line. The sentences of problems never repeat its content. */
const decodeSecret = (data: unknown, place: string): SecretValue => {
  if (typeof data !== 'string') return createRefusal(`${place} does not exist`);
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MAX_BYTES)
    return createRefusal(`${place} has more than ${String(MAX_BYTES)} bytes`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/u, '');
    if (text === '') return createRefusal(`${place} is empty`);
    if (!CONTROLS.test(text)) return { ok: true, value: text };
  } catch {
    // Not UTF-8.
  }
  return createRefusal(`${place} is not one line of text in UTF-8`);
};

const readValue = async (
  connection: ApiConnection,
  { name, namespace = DEFAULT_NAMESPACE, key }: SecretValueReference,
): Promise<SecretValue> => {
  const object = { namespace, name };
  const place = `the key ${JSON.stringify(key)} of Secret ${namespace}/${name}`;
  if (!isObjectKey(object)) return createRefusal(`${place} has no valid name`);
  const read = await connection.send({ method: 'GET', path: formatObjectPath(SECRET, object) });
  if (read.ok) {
    const data = toFields(read.value['data']);
    return decodeSecret(Object.hasOwn(data, key) ? data[key] : undefined, place);
  }
  return createRefusal(
    isNotFound(read.failure, SECRET, object)
      ? `Secret ${namespace}/${name} does not exist`
      : formatFailureSentence(read.failure, { verb: 'read', kind: SECRET, ...object }),
  );
};

/** Returns the values of Secret objects. Each read is a request, so that a changed Secret needs no restart and no permission to list. */
export const openSecretObjects = (connection: ApiConnection): SecretValues => ({
  read: (reference) => readValue(connection, reference),
});
