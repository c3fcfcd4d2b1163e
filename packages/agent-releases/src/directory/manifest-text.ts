import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../store/objects.ts';
import { rewriteYaml } from '@gateway/files';
import { MAX_FILE_BYTES } from './limits.ts';

/** Returns the revision of a text: equal texts have equal revisions. */
export const revisionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

const FIRST = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const FIRST_OF_METADATA = ['name', 'namespace', 'labels', 'annotations'];

const inOrder = (value: object, first: readonly string[]): object => {
  const entries = Object.entries(value) as (readonly [string, unknown])[];
  const keys = new Map(entries);
  const known = first.filter((key) => keys.has(key));
  return Object.fromEntries([
    ...known.map((key) => [key, keys.get(key)] as const),
    ...entries.filter(([key]) => !first.includes(key)),
  ]);
};

/** Returns a copy with only the values that JSON can represent. */
export const plainCopy = (object: KubernetesObject): KubernetesObject =>
  JSON.parse(JSON.stringify(object)) as KubernetesObject;

/** Returns the object with the usual keys of a manifest first, then the others in their order. */
export const orderedManifest = (object: KubernetesObject): KubernetesObject =>
  inOrder(
    { ...object, metadata: inOrder(object.metadata, FIRST_OF_METADATA) },
    FIRST,
  ) as KubernetesObject;

/** Returns the text with the content of the object; undefined when it exceeds the bounds of a file. */
export const manifestText = (before: string, object: object): string | undefined => {
  const text = rewriteYaml(before, object as Readonly<Record<string, unknown>>);
  return text === undefined || Buffer.byteLength(text) > MAX_FILE_BYTES ? undefined : text;
};
