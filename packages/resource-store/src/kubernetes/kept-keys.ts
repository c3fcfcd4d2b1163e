import { fieldsOf, type VersionedObject } from '@gateway/kube-client';
import type { ReferencedKey, ReferencedText } from '../port/referenced-texts.ts';

/** More than any variable or header may have, in characters of the encoded value. */
const MAX_CHARS = 512 * 1024;

/** The encoded value of a key, or the fault for which it is not kept. */
type KeptValue = { readonly encoded: string } | { readonly fault: string };

const ownValue = (fields: unknown, key: string): unknown => {
  const values = fieldsOf(fields);
  return Object.hasOwn(values, key) ? values[key] : undefined;
};

const keptValue = (object: unknown, key: string): KeptValue | undefined => {
  const { data, binaryData } = fieldsOf(object);
  const encoded = ownValue(data, key);
  if (typeof encoded === 'string')
    return encoded.length > MAX_CHARS ? { fault: 'is too long' } : { encoded };
  return ownValue(binaryData, key) === undefined
    ? undefined
    : { fault: 'is in binaryData: move it to data, as text' };
};

/** Returns a function that keeps the values of these keys of a Secret or ConfigMap, and nothing else, which may be large or secret. */
export const keptKeys =
  (keys: ReadonlySet<string>) =>
  ({ object, revision }: VersionedObject): VersionedObject => {
    const { name, namespace, uid } = object.metadata;
    const values = [...keys].flatMap((key) => {
      const value = keptValue(object, key);
      return value === undefined ? [] : [[key, value] as const];
    });
    return {
      revision,
      object: { metadata: { name, namespace, uid }, spec: Object.fromEntries(values) },
    };
  };

/** Returns undefined for bytes that are not text. */
const decoded = (encoded: string): string | undefined => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};

/** Returns the text without what editors add: a byte order mark, and a line break at the end. */
const trimmed = (text: string): string => text.replace(/^\u{feff}/u, '').replace(/\r?\n$/u, '');

/** Returns the text of a key of an object that {@link keptKeys} has returned. */
export const keptText = (
  { object }: VersionedObject,
  { kind, namespace, name, key }: ReferencedKey,
): ReferencedText => {
  const place = `the key ${JSON.stringify(key)} of ${kind} ${namespace}/${name}`;
  const kept = ownValue(object.spec, key) as KeptValue | undefined;
  if (kept === undefined) return { ok: false, code: 'absent', reason: `${place} does not exist` };
  if ('fault' in kept) return { ok: false, code: 'unreadable', reason: `${place} ${kept.fault}` };
  const text = kind === 'Secret' ? decoded(kept.encoded) : kept.encoded;
  return text === undefined
    ? { ok: false, code: 'unreadable', reason: `${place} is not text in UTF-8` }
    : { ok: true, text: trimmed(text) };
};
