import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface ClusterObject {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly name?: string;
    readonly namespace?: string;
  };
}

export interface Resources {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** Returns the path of an object, or of its collection when it has no name. Undefined for a kind that is not served. */
const findResourcePath = (
  group: string,
  { resources }: Resources,
  { kind, metadata }: ClusterObject,
): string | undefined => {
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (found === undefined) return undefined;
  const { name, namespace } = metadata;
  const space = found.namespaced ? `/namespaces/${namespace ?? 'default'}` : '';
  return `${group}${space}/${found.name}${name === undefined ? '' : `/${name}`}`;
};

export interface ApiClientOptions {
  readonly url: string;
  readonly ca: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly token?: string;
}

/** A response: its status code and its JSON, or its text when it is none. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiBody {
  readonly type?: string;
  readonly content: unknown;
}

/** The representation that kubectl prints: columns and rows. */
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

const APPLY = 'application/apply-patch+yaml';

const parseBody = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};

const formatMessage = ({ status, body }: ApiAnswer): string => {
  const { message } = (body ?? {}) as { readonly message?: string };
  return `${status} ${message ?? JSON.stringify(body)}`;
};

export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #agent: Agent;
  readonly #resources = new Map<string, Promise<Resources>>();

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.ca, ...options.certificate });
  }

  /** Sends a request. Rejects without a response only. */
  async request(
    method: string,
    path: string,
    body?: ApiBody,
    accept = 'application/json',
  ): Promise<ApiAnswer> {
    const { url, token } = this.#options;
    const headers = {
      accept,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': body.type ?? 'application/json' }),
    };
    const sent = request(new URL(path, url), { method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body.content));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: parseBody(await text(response)) };
  }

  /** Sends a request and returns the body. @throws when the status code is not one of success */
  async expect(method: string, path: string, body?: ApiBody): Promise<unknown> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${formatMessage(answer)}`);
    return answer.body;
  }

  /** Creates or changes an object by server-side apply. @throws when it is refused */
  async apply(object: ClusterObject, manager = 'test'): Promise<ClusterObject> {
    const path = `${await this.resolvePath(object)}?fieldManager=${manager}&force=true`;
    return (await this.expect('PATCH', path, { type: APPLY, content: object })) as ClusterObject;
  }

  async read(object: ClusterObject): Promise<ClusterObject> {
    return (await this.expect('GET', await this.resolvePath(object))) as ClusterObject;
  }

  /** Returns each object of a list as kubectl prints it, by column. @param isWide with the columns of `-o wide` */
  async rows(path: string, isWide = false): Promise<readonly Record<string, unknown>[]> {
    const { body } = await this.request('GET', path, undefined, TABLE);
    const { columnDefinitions, rows } = body as Table;
    return rows.map(({ cells }) =>
      Object.fromEntries(
        columnDefinitions.flatMap(({ name, priority }, index) =>
          priority > 0 && !isWide ? [] : [[name, cells[index]]],
        ),
      ),
    );
  }

  async remove(object: ClusterObject): Promise<void> {
    await this.expect('DELETE', await this.resolvePath(object));
  }

  /** Returns the path of an object, or of its collection without a name. @throws when the API does not serve its kind */
  async resolvePath(object: ClusterObject): Promise<string> {
    const { apiVersion } = object;
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = this.#resources.get(group) ?? this.#read(group);
    this.#resources.set(group, known);
    const path = findResourcePath(group, await known, object);
    if (path !== undefined) return path;
    this.#resources.delete(group);
    throw new Error(`The API does not serve ${object.kind} of ${apiVersion}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #read(group: string): Promise<Resources> {
    const { status, body } = await this.request('GET', group);
    return status === 200 ? (body as Resources) : { resources: [] };
  }
}
