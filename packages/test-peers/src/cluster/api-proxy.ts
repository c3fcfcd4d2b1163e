import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeServer } from '../http.ts';
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Certificate, createSelfSignedCertificate } from '../certificate-authority.ts';
import type { Fault } from '../api-server/api-server.ts';
import { parseApiRequest, type ApiServerRequest } from '../api-server/api-object.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { toCluster } from './cluster-files.ts';
import type { Cluster } from './cluster.ts';
import { formatKubeconfig, createTestDirectory } from '../kubeconfig.ts';

/** An event of a watch, as the API server sent it. */
interface WatchLine {
  readonly type: string;
  readonly object: {
    readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
    readonly code?: number;
  };
}

/** Receives each event of a watch in place of the client. `send` passes an event on, any number of times and in any order. */
type WatchFilter = (line: WatchLine, send: (line: WatchLine) => void) => void;

const NEWLINE = '\n';

/** The watches that are open through a proxy, and their events. */
class ProxiedWatches {
  /** All events of the API server in their order, also those that were not passed on. */
  readonly lines: WatchLine[] = [];
  filter: WatchFilter | undefined;
  readonly #open = new Set<ServerResponse>();

  get count(): number {
    return this.#open.size;
  }

  begin(response: ServerResponse): (text: string) => void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    const send = (line: WatchLine): void => {
      response.write(JSON.stringify(line) + NEWLINE);
    };
    let pending = '';
    return (text) => {
      const lines = (pending + text).split(NEWLINE);
      pending = lines.pop() ?? '';
      for (const one of lines) this.#take(JSON.parse(one) as WatchLine, send);
    };
  }

  end(): void {
    for (const response of this.#open) response.end();
  }

  cut(): void {
    for (const response of this.#open) response.destroy();
  }

  #take(line: WatchLine, send: (line: WatchLine) => void): void {
    this.lines.push(line);
    if (this.filter === undefined) send(line);
    else this.filter(line, send);
  }
}

export interface ProxyTarget {
  readonly url: string;
  readonly ca: string;
}

/**
 * A proxy that a test puts between a client and an API server. It terminates TLS on both sides, records requests and events of watches,
 * and disturbs them. Client certificates do not reach the API server; tokens do.
 */
export class ApiProxy {
  readonly ca: string;
  readonly requests: ApiServerRequest[] = [];
  readonly watches = new ProxiedWatches();
  fault: Fault | undefined;
  /** The time after which the API server ends each watch, in seconds; that of the client when undefined. */
  watchSeconds: number | undefined;
  limit: number | undefined;
  readonly #target: ProxyTarget;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new WeakSet<Socket>();

  constructor(target: ProxyTarget, certificate: Certificate) {
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

  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Makes all present connections half open: they stay open, but nothing arrives on them any more, not even their end. New connections work. */
  freeze(): void {
    for (const socket of this.#sockets) this.#frozen.add(socket);
  }

  async close(): Promise<void> {
    const closed = closeServer(this.#server);
    this.#agent.destroy();
    await closed;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const parsed = parseApiRequest(incoming);
    if (parsed !== undefined) this.requests.push(parsed);
    if (this.#frozen.has(incoming.socket)) return;
    if (parsed !== undefined && (await this.fault?.(parsed, response)) === true) return;
    if (response.destroyed) return;
    const sent = request(this.#toUrl(incoming, parsed), {
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

  #fail(response: ServerResponse): void {
    if (response.socket === null || !this.#frozen.has(response.socket)) response.destroy();
  }

  #toUrl({ url = '/' }: IncomingMessage, parsed: ApiServerRequest | undefined): URL {
    const target = new URL(url, this.#target.url);
    if (parsed?.verb === 'watch' && this.watchSeconds !== undefined)
      target.searchParams.set('timeoutSeconds', String(this.watchSeconds));
    if (parsed?.verb === 'list' && this.limit !== undefined)
      target.searchParams.set('limit', String(this.limit));
    return target;
  }
}

export interface StartedProxy {
  readonly proxy: ApiProxy;
  readonly kubeconfig: string;
}

/** Starts a proxy in front of a cluster; the end of the test stops it. @param user as in a kubeconfig; the administrator when absent */
export const startApiProxy = async (cluster: Cluster, user?: object): Promise<StartedProxy> => {
  const proxy = new ApiProxy(cluster, await createSelfSignedCertificate());
  const url = await proxy.listen();
  onTestFinished(() => proxy.close());
  const kubeconfig = join(await createTestDirectory(), 'config');
  const actual = user ?? { token: await cluster.administratorToken() };
  await writeFile(kubeconfig, formatKubeconfig(url, actual, toCluster(proxy.ca)), { mode: 0o600 });
  return { proxy, kubeconfig };
};
