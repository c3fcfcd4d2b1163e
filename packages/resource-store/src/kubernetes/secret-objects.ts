import { DEFAULT_NAMESPACE } from '@gateway/crd-schemas';
import {
  fieldsOf,
  isNotFound,
  isObjectKey,
  objectPath,
  type ApiConnection,
  type ApiKind,
} from '@gateway/kube-client';
import type { SecretValue, SecretValueReference, SecretValues } from '../port/secret-values.ts';
import { failureSentence } from './failure-sentence.ts';

const SECRET: ApiKind = { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' };

/** Far more than a client secret or a private key needs. */
const MAX_BYTES = 64 * 1024;
const CONTROLS = /[\u0000-\u001f\u007f]/u;

const refused = (reason: string): SecretValue => ({ ok: false, reason });

/** Returns the text of a value, which is one line. The sentences of problems never repeat its content. */
const textOf = (data: unknown, place: string): SecretValue => {
  if (typeof data !== 'string') return refused(`${place} does not exist`);
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MAX_BYTES) return refused(`${place} has more than ${String(MAX_BYTES)} bytes`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/u, '');
    if (text === '') return refused(`${place} is empty`);
    if (!CONTROLS.test(text)) return { ok: true, value: text };
  } catch {
    // Not UTF-8.
  }
  return refused(`${place} is not one line of text in UTF-8`);
};

const readValue = async (
  connection: ApiConnection,
  { name, namespace = DEFAULT_NAMESPACE, key }: SecretValueReference,
): Promise<SecretValue> => {
  const object = { namespace, name };
  const place = `the key ${JSON.stringify(key)} of Secret ${namespace}/${name}`;
  if (!isObjectKey(object)) return refused(`${place} has no valid name`);
  const read = await connection.send({ method: 'GET', path: objectPath(SECRET, object) });
  if (read.ok) {
    const data = fieldsOf(read.value['data']);
    return textOf(Object.hasOwn(data, key) ? data[key] : undefined, place);
  }
  return refused(
    isNotFound(read.failure, SECRET, object)
      ? `Secret ${namespace}/${name} does not exist`
      : failureSentence(read.failure, { verb: 'read', kind: SECRET, ...object }),
  );
};

/** Returns the values of Secret objects. Each read is a request, so that a changed Secret needs no restart and no permission to list. */
export const secretObjects = (connection: ApiConnection): SecretValues => ({
  read: (reference) => readValue(connection, reference),
});
