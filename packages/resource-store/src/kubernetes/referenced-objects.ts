import {
  fieldsOf,
  isObjectKey,
  ObjectInformer,
  type ApiConnection,
  type ApiKind,
  type VersionedObject,
} from '@gateway/kube-client';
import type { ReferencedKey, ReferencedText, ReferencedTexts } from '../port/referenced-texts.ts';
import { failureSentence } from './failure-sentence.ts';

type Kind = ReferencedKey['kind'];

const KINDS: Readonly<Record<Kind, ApiKind>> = {
  Secret: { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' },
  ConfigMap: { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' },
};

/** Each is a list and a watch by name. */
const MAX_OBJECTS = 256;
/** More than any variable or header may have, in characters of the encoded value. */
const MAX_CHARS = 512 * 1024;

type ObjectReference = Omit<ReferencedKey, 'key'>;

interface Followed {
  readonly informer: ObjectInformer;
  /** The sentence about the present outage. */
  problem: string | undefined;
}

const idOf = ({ kind, namespace, name }: ObjectReference): string => `${kind}/${namespace}/${name}`;

const textOfSecret = (encoded: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};

const textIn = (
  { object }: VersionedObject,
  { kind, namespace, name, key }: ReferencedKey,
): ReferencedText => {
  const data = fieldsOf(fieldsOf(object)['data']);
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  const place = `the key ${JSON.stringify(key)} of ${kind} ${namespace}/${name}`;
  if (typeof value !== 'string')
    return { ok: false, code: 'absent', reason: `${place} does not exist` };
  const unreadable = (fact: string): ReferencedText => ({
    ok: false,
    code: 'unreadable',
    reason: `${place} ${fact}`,
  });
  if (value.length > MAX_CHARS) return unreadable('is too long');
  const text = kind === 'Secret' ? textOfSecret(value) : value;
  return text === undefined
    ? unreadable('is not text in UTF-8')
    : { ok: true, text: text.replace(/\r?\n$/u, '') };
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
    const wanted = new Map(
      keys.filter((key) => isObjectKey(key)).map((key) => [idOf(key), key] as const),
    );
    for (const [id, { informer }] of this.#followed) {
      if (wanted.has(id)) continue;
      informer.stop();
      this.#followed.delete(id);
    }
    for (const [id, key] of wanted) {
      if (this.#followed.size === MAX_OBJECTS) break;
      if (!this.#followed.has(id)) this.#followed.set(id, this.#begin(key));
    }
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
    if (object !== undefined) return textIn(object, key);
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

  #begin({ kind, namespace, name }: ObjectReference): Followed {
    const followed: Followed = {
      problem: undefined,
      informer: new ObjectInformer(this.#connection, {
        ...{ kind: KINDS[kind], namespace },
        selector: { fieldSelector: `metadata.name=${name}` },
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
