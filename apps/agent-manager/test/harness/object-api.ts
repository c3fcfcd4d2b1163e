import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface StoredObject {
  readonly metadata: { readonly name: string };
}

/** The part of the Kubernetes API that stores objects for clients with the token. The complete API is tested with the store. */
export class ObjectApi {
  readonly #objects = new Map<string, object>();
  readonly #token: string;
  readonly #server: Server;
  #version = 1;

  constructor(token: string) {
    this.#token = token;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** Stores an object at its path. */
  keep(path: string, object: object): void {
    this.#objects.set(path, object);
  }

  /** @returns the address */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (headers.authorization !== `Bearer ${this.#token}`) answer(401, { kind: 'Status' });
    else if (searchParams.has('watch')) response.writeHead(200).flushHeaders();
    else if (method === 'POST' || method === 'PUT') {
      const given = (await json(request)) as StoredObject;
      const resourceVersion = String((this.#version += 1));
      const object = { ...given, metadata: { ...given.metadata, resourceVersion } };
      this.keep(method === 'PUT' ? pathname : `${pathname}/${given.metadata.name}`, object);
      answer(method === 'PUT' ? 200 : 201, object);
    } else this.#read(pathname, method, answer);
  }

  #read(path: string, method: string, answer: (status: number, body: object) => void): void {
    const found = this.#objects.get(path);
    if (method === 'DELETE') this.#objects.delete(path);
    const below = [...this.#objects].filter(([key]) => key.startsWith(`${path}/`));
    const isList = /\/namespaces\/[^/]+\/[^/]+$/u.test(path);
    if (found !== undefined) answer(200, found);
    else if (!isList) {
      const [name, kind] = path.split('/').toReversed();
      answer(404, { kind: 'Status', code: 404, reason: 'NotFound', details: { kind, name } });
    } else {
      const metadata = { resourceVersion: String(this.#version) };
      answer(200, { kind: 'List', metadata, items: below.map(([, object]) => object) });
    }
  }
}
