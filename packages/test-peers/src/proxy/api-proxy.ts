import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSignedCertificate } from '../certificate-authority.ts';
import type { Fault } from '../api-server/api-server.ts';
import { apiRequestOf, type ApiServerRequest } from '../api-server/api-request.ts';
import { ProxiedWatches } from './proxied-watches.ts';

/** The API server behind a proxy. */
export interface ProxyTarget {
  readonly url: string;
  /** The authority of the server as PEM. */
  readonly ca: string;
}

/**
 * A proxy that a test puts between a client and an API server. It terminates TLS on both sides, records requests and events of watches,
 * and disturbs them. Client certificates do not reach the API server; tokens do.
 */
export class ApiProxy {
  /** The authority of the proxy as PEM. */
  readonly ca: string;
  /** All requests in their order. */
  readonly requests: ApiServerRequest[] = [];
  readonly watches = new ProxiedWatches();
  fault: Fault | undefined;
  /** The time after which the API server ends each watch, in seconds; that of the client when undefined. */
  watchSeconds: number | undefined;
  /** The maximum number of objects of a page of a list; that of the client when undefined. */
  limit: number | undefined;
  readonly #target: ProxyTarget;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new WeakSet<Socket>();

  constructor(target: ProxyTarget) {
    const certificate = selfSignedCertificate();
    this.ca = certificate.cert;
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca });
    this.#server = createServer(certificate, (incoming, response) => {
      this.#handle(incoming, response).catch(() => this.#fail(response));
    });
    this.#server.on('secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Listens on a free port of 127.0.0.1 and returns the address. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /**
   * Makes all present connections half open: they stay open, but nothing arrives on them any more, not even their end. New connections
   * work.
   */
  freeze(): void {
    for (const socket of this.#sockets) this.#frozen.add(socket);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const parsed = apiRequestOf(incoming);
    if (parsed !== undefined) this.requests.push(parsed);
    if (this.#frozen.has(incoming.socket)) return;
    if (parsed !== undefined && (await this.fault?.(parsed, response)) === true) return;
    if (response.destroyed) return;
    const sent = request(this.#urlOf(incoming, parsed), {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(this.#target.url).host },
      agent: this.#agent,
    });
    response.once('close', () => sent.destroy());
    sent.end(body);
    const [upstream] = (await once(sent, 'response')) as [IncomingMessage];
    this.#forward(upstream, response, parsed?.verb === 'watch' && upstream.statusCode === 200);
  }

  #forward(upstream: IncomingMessage, response: ServerResponse, isWatch: boolean): void {
    const { statusCode = 502, headers } = upstream;
    response.writeHead(statusCode, headers).flushHeaders();
    const isFrozen = (): boolean => response.socket !== null && this.#frozen.has(response.socket);
    const take = isWatch ? this.watches.begin(response) : (part: string) => response.write(part);
    upstream.setEncoding('utf8').on('data', (part: string) => {
      if (!isFrozen()) take(part);
    });
    upstream.once('end', () => {
      if (!isFrozen()) response.end();
    });
    upstream.once('error', () => this.#fail(response));
  }

  /** Ends a response whose request failed. */
  #fail(response: ServerResponse): void {
    if (response.socket === null || !this.#frozen.has(response.socket)) response.destroy();
  }

  #urlOf({ url = '/' }: IncomingMessage, parsed: ApiServerRequest | undefined): URL {
    const target = new URL(url, this.#target.url);
    if (parsed?.verb === 'watch' && this.watchSeconds !== undefined)
      target.searchParams.set('timeoutSeconds', String(this.watchSeconds));
    if (parsed?.verb === 'list' && this.limit !== undefined)
      target.searchParams.set('limit', String(this.limit));
    return target;
  }
}
