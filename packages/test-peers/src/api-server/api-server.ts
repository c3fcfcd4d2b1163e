import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer } from '../http.ts';
import {
  formatListVersion,
  type StoredObject,
  parseApiRequest,
  type ApiServerRequest,
  type ApiStatus,
  isSelected,
  SERVED_KINDS,
  type ServedKind,
  STATUSES,
} from './api-object.ts';
import { AppliedFields, type ObjectChange, ObjectHistory, type Written } from './object-history.ts';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { formatKubeconfig, createTestDirectory } from '../kubeconfig.ts';

class WatchStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #history: ObjectHistory;

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a watch: sends the changes since the version of the request, then every further change. */
  begin(kind: ServedKind, { namespace, query }: ApiServerRequest, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion') ?? this.#history.version);
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const send = (event: ObjectChange): void => {
      const { resource, object, type } = event;
      const isInside = namespace === '' || object.metadata.namespace === namespace;
      const isRequested = resource === kind.resource && isInside;
      if (isRequested && !response.writableEnded && isSelected(object, query))
        writeLine(response, type, object);
    };
    this.#history.since(from).forEach(send);
    const unsubscribe = this.#history.onEvent(send);
    this.#open.add(response);
    response.once('close', () => {
      unsubscribe();
      this.#open.delete(response);
    });
  }

  end(): void {
    for (const response of this.#open) response.end();
  }

  cut(): void {
    for (const response of this.#open) response.destroy();
  }
}

const writeLine = (response: ServerResponse, type: string, object: object): void => {
  response.write(`${JSON.stringify({ type, object })}\n`);
};

export interface ApiServerOptions {
  readonly namespaces?: readonly string[];
  readonly kinds?: readonly ServedKind[];
  /** Serves over TLS; over plain HTTP when absent. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The users by bearer token. When absent, every request is from the user `agent-manager`. */
  readonly users?: ReadonlyMap<string, string>;
  /** Returns whether a user may make a request. When absent, everything is allowed. */
  readonly isAllowed?: (request: ApiServerRequest, user: string) => boolean;
}

/** Responds in place of the API. Returns false to let the API respond. */
export type Fault = (
  request: ApiServerRequest,
  response: ServerResponse,
) => boolean | Promise<boolean>;

const findKind = (
  kinds: readonly ServedKind[],
  { group, version, resource }: ApiServerRequest,
): ServedKind | undefined =>
  kinds.find(
    (kind) => kind.group === group && kind.version === version && kind.resource === resource,
  );

interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string };
}

const send = (response: ServerResponse, code: number, body: object): void => {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const isStatus = (body: object): body is ApiStatus => 'code' in body && 'reason' in body;

const sendWritten = (response: ServerResponse, code: number, written: Written): void => {
  if (written.ok) send(response, code, written.object);
  else send(response, written.status.code, written.status);
};

/**
 * A Kubernetes API in this process, over real sockets, with the requests that quick tests need: one version counter for all objects,
 * optimistic locking, watches, server-side apply, and the texts and codes of Kubernetes. Lists have one page, the history is complete, and
 * there are no finalizers, schemas and controllers.
 */
export class ApiServer {
  readonly history = new ObjectHistory();
  readonly appliedFields = new AppliedFields(this.history);
  readonly watches = new WatchStreams(this.history);
  readonly requests: ApiServerRequest[] = [];
  fault: Fault | undefined;
  isAllowed: NonNullable<ApiServerOptions['isAllowed']>;
  readonly #kinds: readonly ServedKind[];
  readonly #namespaces: ReadonlySet<string>;
  readonly #users: ReadonlyMap<string, string> | undefined;
  readonly #server: Server;
  readonly #isTls: boolean;

  constructor(options: ApiServerOptions = {}) {
    this.#kinds = options.kinds ?? SERVED_KINDS;
    this.#namespaces = new Set(options.namespaces ?? ['default', 'tenant']);
    this.#users = options.users;
    this.isAllowed = options.isAllowed ?? (() => true);
    this.#isTls = options.tls !== undefined;
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#handle(request, response).catch(() => response.destroy());
    this.#server =
      options.tls === undefined ? createServer(handle) : createTlsServer(options.tls, handle);
  }

  /** Listens on a port of 127.0.0.1, a free one by default, and returns the address. */
  async listen(port = 0): Promise<string> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_error, count) => resolve(count)));
  }

  /** Creates or replaces an object, as another client does. */
  apply(object: StoredObject): StoredObject {
    const [group, version] = `/${object.apiVersion ?? ''}`.split('/').slice(-2);
    const kind = this.#kinds.find(
      (one) => one.kind === object.kind && one.group === group && one.version === version,
    );
    if (kind === undefined) throw new Error(`no kind ${object.kind} of ${object.apiVersion}`);
    return this.history.apply(kind, object);
  }

  /** Deletes an object, as another client does. */
  remove(kindName: string, place: { readonly namespace: string; readonly name: string }): void {
    const kind = this.#kinds.find((one) => one.kind === kindName);
    if (kind !== undefined) this.history.delete(kind, place);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const request = parseApiRequest(incoming);
    if (request === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
      return;
    }
    this.requests.push(request);
    if (this.fault !== undefined && (await this.fault(request, response))) return;
    const kind = findKind(this.#kinds, request);
    const user = this.#findUser(incoming);
    if (user === undefined) send(response, 401, STATUSES.unauthorized());
    else if (kind === undefined)
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
    else if (!this.isAllowed(request, user))
      send(response, 403, STATUSES.forbidden(kind, { user, ...request }));
    else this.#answer(kind, request, response, body);
  }

  #findUser({ headers }: IncomingMessage): string | undefined {
    if (this.#users === undefined) return 'agent-manager';
    return this.#users.get(/^Bearer (?<token>.*)$/.exec(headers.authorization ?? '')?.[1] ?? '');
  }

  #answer(
    kind: ServedKind,
    request: ApiServerRequest,
    response: ServerResponse,
    body: string,
  ): void {
    switch (request.verb) {
      case 'list':
      case 'get':
        this.#read(kind, request, response);
        return;
      case 'watch':
        this.watches.begin(kind, request, response);
        return;
      case 'delete':
        this.#delete(kind, request, response, body);
        return;
      case 'apply':
        this.#apply(kind, request, response, JSON.parse(body) as StoredObject);
        return;
      case 'create':
      case 'update':
        this.#write(kind, request, response, JSON.parse(body) as StoredObject);
    }
  }

  #delete(
    kind: ServedKind,
    { namespace, name = '' }: ApiServerRequest,
    response: ServerResponse,
    body: string,
  ): void {
    const { preconditions } = (body === '' ? {} : JSON.parse(body)) as DeleteOptions;
    const deleted = this.history.delete(kind, { namespace, name }, preconditions?.uid);
    if (!deleted.ok) sendWritten(response, 200, deleted);
    else send(response, 200, STATUSES.deleted(kind, name, deleted.object.metadata.uid));
  }

  #read(kind: ServedKind, request: ApiServerRequest, response: ServerResponse): void {
    const { namespace, name, query } = request;
    if (name !== undefined) {
      const found = this.history.get(kind, { namespace, name }) ?? STATUSES.notFound(kind, name);
      send(response, isStatus(found) ? found.code : 200, found);
      return;
    }
    const objects = this.history.list(kind, namespace).filter((one) => isSelected(one, query));
    send(response, 200, {
      apiVersion: formatListVersion(kind),
      kind: `${kind.kind}List`,
      metadata: { continue: '', resourceVersion: String(this.history.version) },
      items: objects,
    });
  }

  #apply(
    kind: ServedKind,
    { namespace, query, headers, isStatus }: ApiServerRequest,
    response: ServerResponse,
    object: StoredObject,
  ): void {
    const manager = query.get('fieldManager');
    if (headers['content-type'] !== 'application/apply-patch+yaml' || manager === null) {
      const status = STATUSES.badRequest('PatchOptions.meta.k8s.io "" is invalid: fieldManager');
      send(response, status.code, status);
    } else if (!this.#namespaces.has(namespace)) {
      const status = STATUSES.noNamespace(namespace);
      send(response, status.code, status);
    } else {
      const isForced = query.get('force') === 'true';
      const isNew = this.history.get(kind, object.metadata) === undefined;
      const written = this.appliedFields.apply(kind, object, { manager, isForced, isStatus });
      sendWritten(response, isNew ? 201 : 200, written);
    }
  }

  #write(
    kind: ServedKind,
    { verb, namespace, name, headers, query }: ApiServerRequest,
    response: ServerResponse,
    object: StoredObject,
  ): void {
    const refuse = (status: ApiStatus): void => send(response, status.code, status);
    const manager = query.get('fieldManager') ?? (headers['user-agent'] ?? '').split('/')[0] ?? '';
    if (
      object.metadata.namespace !== namespace ||
      (name ?? object.metadata.name) !== object.metadata.name
    )
      refuse(STATUSES.badRequest('the name of the object does not match the name on the URL'));
    else if (verb === 'update')
      sendWritten(response, 200, this.history.update(kind, object, manager));
    else if (!this.#namespaces.has(namespace)) refuse(STATUSES.noNamespace(namespace));
    else sendWritten(response, 201, this.history.create(kind, object, manager));
  }
}

export interface TestCluster {
  readonly api: ApiServer;
  readonly kubeconfig: string;
}

export const startTestCluster = async (options: ApiServerOptions = {}): Promise<TestCluster> => {
  const api = new ApiServer(options);
  const server = await api.listen();
  onTestFinished(() => api.close());
  const kubeconfig = join(await createTestDirectory(), 'config');
  await writeFile(kubeconfig, formatKubeconfig(server));
  return { api, kubeconfig };
};
