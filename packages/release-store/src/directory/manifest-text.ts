import { createHash } from 'node:crypto';
import type { KubernetesObject } from '@gateway/agent-releases';
import { rewriteYaml } from '@gateway/durable-files';
import { MAX_FILE_BYTES } from './limits.ts';

/** The revision of a text: two texts have one revision when they are the same. */
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

/** Only what JSON can say, as a copy of its own. */
export const plainCopy = (object: KubernetesObject): KubernetesObject =>
  JSON.parse(JSON.stringify(object)) as KubernetesObject;

/** The order of keys in a new file: that of every manifest, and behind it that of whoever composed the object. */
export const orderedManifest = (object: KubernetesObject): KubernetesObject =>
  inOrder(
    { ...object, metadata: inOrder(object.metadata, FIRST_OF_METADATA) },
    FIRST,
  ) as KubernetesObject;

/** A text that says this, made of the one that is there; undefined when it cannot be said in the bounds of a file. */
export const manifestText = (before: string, object: object): string | undefined => {
  const text = rewriteYaml(before, object as Readonly<Record<string, unknown>>);
  return text === undefined || Buffer.byteLength(text) > MAX_FILE_BYTES ? undefined : text;
};
