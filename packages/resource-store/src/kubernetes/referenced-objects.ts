import {
  isObjectKey,
  ObjectInformer,
  type ApiConnection,
  type ApiKind,
} from '@gateway/kube-client';
import type { ReferencedKey, ReferencedText, ReferencedTexts } from '../port/referenced-texts.ts';
import { failureSentence } from './failure-sentence.ts';
import { fairShare } from './fair-share.ts';
import { keptKeys, keptText } from './kept-keys.ts';

type Kind = ReferencedKey['kind'];

const KINDS: Readonly<Record<Kind, ApiKind>> = {
  Secret: { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' },
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

const idOf = ({ kind, namespace, name }: ObjectReference): string => `${kind}/${namespace}/${name}`;

interface NamedKeys {
  readonly reference: ObjectReference;
  readonly keys: Set<string>;
}

/** Returns the keys of each object, at most of as many objects as are followed. Each namespace has an equal share of them. */
const keysByObject = (keys: readonly ReferencedKey[]): ReadonlyMap<string, NamedKeys> => {
  const objects = new Map<string, NamedKeys>();
  for (const { key, ...reference } of keys) {
    const id = idOf(reference);
    const known = objects.get(id);
    if (known !== undefined) known.keys.add(key);
    else if (isObjectKey(reference)) objects.set(id, { reference, keys: new Set([key]) });
  }
  return new Map(fairShare([...objects], MAX_OBJECTS, ([, { reference }]) => reference.namespace));
};

/** Secrets and ConfigMaps of a cluster, each followed by its name, so that a Role can permit exactly these. */
class ReferencedObjects implements ReferencedTexts {
  readonly #connection: ApiConnection;
  readonly #followed = new Map<string, Followed>();
  readonly #listeners = new Set<() => void>();

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  readonly follow = async (keys: readonly ReferencedKey[]): Promise<void> => {
    const wanted = keysByObject(keys);
    for (const [id, followed] of this.#followed) {
      const known = wanted.get(id);
      if (known !== undefined && [...known.keys].every((key) => followed.keys.has(key))) continue;
      followed.informer.stop();
      this.#followed.delete(id);
    }
    for (const [id, { reference, keys: ofObject }] of wanted)
      if (!this.#followed.has(id)) this.#followed.set(id, this.#begin(reference, ofObject));
    await Promise.all([...this.#followed.values()].map(({ informer }) => informer.synced()));
  };

  readonly read = (key: ReferencedKey): ReferencedText => {
    const place = `${key.kind} ${key.namespace}/${key.name}`;
    const followed = this.#followed.get(idOf(key));
    if (followed === undefined)
      return {
        ok: false,
        code: 'unreadable',
        reason: `${place} is not read, because servers name more than ${String(MAX_OBJECTS)} Secrets and ConfigMaps`,
      };
    const { informer, problem } = followed;
    const object = informer.get(key);
    if (object !== undefined) return keptText(object, key);
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
      ...{ keys, problem: undefined },
      informer: new ObjectInformer(this.#connection, {
        ...{ kind: KINDS[kind], namespace },
        selector: { fieldSelector: `metadata.name=${name}` },
        keep: keptKeys(keys),
        onChange: () => {
          followed.problem = undefined;
          this.#changed();
        },
        onFailure: (failure, verb) => {
          followed.problem = failureSentence(failure, {
            ...{ verb, kind: KINDS[kind], namespace, name },
          });
          this.#changed();
        },
        onRecovery: () => {
          followed.problem = undefined;
          this.#changed();
        },
      }),
    };
    return followed;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns the values of Secrets and ConfigMaps of a cluster. Needs the permissions to list and to watch each of them. */
export const referencedObjects = (connection: ApiConnection): ReferencedTexts =>
  new ReferencedObjects(connection);
