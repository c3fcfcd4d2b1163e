import { createSecretPlace, type StoredSecret } from '@gateway/client-config';
import { formatApiVersion, MCP_SERVER_KIND } from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  formatCollectionPath,
  formatObjectPath,
  hasStatus,
  isNotFound,
  toFields,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import { SECRET } from './referenced-objects.ts';
import { formatSecretText } from '../files/secret-files.ts';
import { NOTHING_WRITTEN, type WrittenSecrets } from '../port/resource-store.ts';
import type { ResourceKey } from '../port/resources.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the key of the Secret that is made for a server. */
export const toSecretKey = ({ namespace, name }: ResourceKey): ResourceKey => ({
  namespace,
  name: createSecretPlace(name, 'object').name,
});

const REFERENCE = /secret(?:key)?ref$/iu;

/** Returns whether a part of a definition names a Secret. Its namespace is not compared, so that a Secret in use is never deleted. */
export const hasSecretReference = (value: unknown, name: string): boolean =>
  Object.entries(toFields(value)).some(
    ([field, part]) =>
      (REFERENCE.test(field) && toFields(part)['name'] === name) || hasSecretReference(part, name),
  );

/** The remedies of a refusal. */
const FORBIDDEN =
  'permit the gateway to write Secrets with rbac.writeSecrets of its chart, or name a Secret of your own in envFrom or headersFrom';

/** The Secrets that are made for servers, one for each. The server owns its Secret, so that the cluster deletes both. */
export class SecretObjects {
  readonly #connection: ApiConnection;
  readonly #apiGroup: string;

  constructor(connection: ApiConnection, apiGroup: string) {
    this.#connection = connection;
    this.#apiGroup = apiGroup;
  }

  /**
   * Writes values to the Secret of a server. Never rejects.
   *
   * @param uid that of the server; absent for a new one, whose Secret must not exist
   */
  async write(
    server: ResourceKey,
    secrets: readonly StoredSecret[],
    uid?: string,
  ): Promise<WrittenSecrets> {
    if (secrets.length === 0) return NOTHING_WRITTEN;
    const key = toSecretKey(server);
    const found = uid === undefined ? undefined : await this.#read(key);
    if (typeof found === 'string') return { ok: false, text: found };
    if (found !== undefined && !this.#isOf(server, found))
      return { ok: false, text: formatForeign(key) };
    const data = secrets.map(
      ({ key: name, value }) => [name, encode(formatSecretText(value))] as const,
    );
    const object = {
      ...found,
      apiVersion: 'v1',
      kind: SECRET.kind,
      metadata: toFields(found?.['metadata'] ?? this.#createMetadata(server, uid)),
      data: { ...toFields(found?.['data']), ...Object.fromEntries(data) },
    };
    const sent = await this.#send(key, object);
    if (typeof sent === 'string') return { ok: false, text: sent };
    const { metadata } = sent;
    return {
      ok: true,
      undo: async () => {
        if (found === undefined) await this.#delete(key, toFields(metadata)['uid']);
        else await this.#send(key, { ...found, metadata });
      },
      own: async (owner) => {
        await this.#send(key, {
          ...sent,
          metadata: { ...toFields(metadata), ...this.#createOwner(server, owner) },
        });
      },
    };
  }

  /** Keeps the Secret of a server that is deleted. Returns why that is not possible. */
  async release(server: ResourceKey): Promise<string | undefined> {
    const key = toSecretKey(server);
    const found = await this.#read(key);
    if (typeof found === 'string' || found === undefined || !this.#isOf(server, found))
      return typeof found === 'string' ? found : undefined;
    const { ownerReferences: _owner, ...metadata } = toFields(found['metadata']);
    const sent = await this.#send(key, { ...found, metadata });
    return typeof sent === 'string' ? sent : undefined;
  }

  /** Deletes the Secret that was made for a server. Returns why that is not possible. */
  async remove(server: ResourceKey): Promise<string | undefined> {
    const key = toSecretKey(server);
    const found = await this.#read(key);
    if (typeof found === 'string' || found === undefined || !this.#isOf(server, found))
      return typeof found === 'string' ? found : undefined;
    return this.#delete(key, toFields(found['metadata'])['uid']);
  }

  get #annotation(): string {
    return `${this.#apiGroup}/mcpserver`;
  }

  #isOf({ name }: ResourceKey, secret: Fields): boolean {
    return toFields(toFields(secret['metadata'])['annotations'])[this.#annotation] === name;
  }

  #createMetadata(server: ResourceKey, uid: string | undefined): Fields {
    return {
      ...toSecretKey(server),
      annotations: { [this.#annotation]: server.name },
      ...(uid !== undefined && this.#createOwner(server, uid)),
    };
  }

  #createOwner({ name }: ResourceKey, uid: string): Fields {
    const apiVersion = formatApiVersion(this.#apiGroup);
    return { ownerReferences: [{ apiVersion, kind: MCP_SERVER_KIND, name, uid }] };
  }

  /** Returns a Secret, undefined when there is none, or why it cannot be read. */
  async #read(key: ResourceKey): Promise<Fields | string | undefined> {
    const path = formatObjectPath(SECRET, key);
    const read = await this.#connection.send({ method: 'GET', path });
    if (read.ok) return read.value;
    return isNotFound(read.failure, SECRET, key) ? undefined : formatFailure(read.failure, key);
  }

  /** Creates a Secret, or replaces the version that its metadata names. Returns it, or why it cannot be written. */
  async #send(key: ResourceKey, object: Fields): Promise<Fields | string> {
    const isNew = toFields(object['metadata'])['resourceVersion'] === undefined;
    const sent = await this.#connection.send({
      method: isNew ? 'POST' : 'PUT',
      path: isNew ? formatCollectionPath(SECRET, key.namespace) : formatObjectPath(SECRET, key),
      body: object,
    });
    if (sent.ok) return sent.value;
    return isNew && hasStatus(sent.failure, 409)
      ? formatForeign(key)
      : formatFailure(sent.failure, key);
  }

  async #delete(key: ResourceKey, uid: unknown): Promise<string | undefined> {
    const deleted = await this.#connection.send({
      method: 'DELETE',
      path: formatObjectPath(SECRET, key),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
    });
    return deleted.ok || isNotFound(deleted.failure, SECRET, key)
      ? undefined
      : formatFailure(deleted.failure, key);
  }
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

const formatForeign = ({ namespace, name }: ResourceKey): string =>
  `Secret ${namespace}/${name} exists and does not belong to this server: delete it, or use another name`;

const formatFailure = (failure: ApiFailure, key: ResourceKey): string => {
  const sentence = formatFailureSentence(failure, { verb: 'write', kind: SECRET, ...key });
  return hasStatus(failure, 403) ? `${sentence}; ${FORBIDDEN}` : sentence;
};
