import { onTestFinished } from 'vitest';
import { createMcpHttp, serveHttp, type McpService, type RouteHandlers } from '../src/index.ts';
import type { HttpServerLimits, RequestEvent } from '../src/transports/http-server.ts';
import type { McpHttpOptions } from '../src/transports/mcp-http.ts';
import { readEvents } from './event-reader.ts';
import { interactiveService } from './interactive-service.ts';
import { memoryBus } from './peer-bus.ts';
import { sampleService } from './sample-service.ts';
import { post, postModern, rpc, send, until, type Headers, type Sent } from './wire-client.ts';

export type EndpointOptions = McpHttpOptions & {
  readonly serverLimits?: Partial<HttpServerLimits>;
  readonly routes?: RouteHandlers;
  readonly prefixes?: RouteHandlers;
  readonly change?: (service: McpService) => McpService;
};

interface Session {
  readonly revision?: string;
  readonly capabilities?: object;
  readonly headers?: Headers;
}

/** Serves a service on a free port of the loopback interface, with a client of it. */
export const serveEndpoint = async (service: McpService, options: EndpointOptions = {}) => {
  const { serverLimits = {}, routes = {}, prefixes = {}, change, ...rest } = options;
  const errors: unknown[] = [];
  const refusals: string[] = [];
  const requests: RequestEvent[] = [];
  const onError = (error: unknown): number => errors.push(error);
  const onRefusal = (code: string): number => refusals.push(code);
  const mcp = createMcpHttp(change?.(service) ?? service, { ...rest, onError, onRefusal });
  const onRequest = (event: RequestEvent): number => requests.push(event);
  const events = { onRequest, onError };
  const served = { mcp, routes, prefixes, limits: serverLimits };
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, ...served, ...events });
  const url = `${serving.url}/mcp`;
  const { port, drain, retire } = serving;
  const seen = { errors, refusals, requests, stats: mcp.stats };
  return {
    url,
    port,
    drain,
    retire,
    ...seen,
    post: (value: unknown, headers?: Headers) => post(url, value, headers),
    postModern: (method: string, params?: object, sent?: Pick<Sent, 'headers' | 'signal'>) =>
      postModern(url, method, params, sent),
    send: (sent: Sent) => send(url, sent),
    readEvents: (headers?: Headers, body?: unknown) => readEvents(url, headers, body),
    /** Starts a session and returns the headers of its requests. */
    startSession: async (session: Session = {}) => {
      const { revision = '2025-11-25', capabilities = {}, headers } = session;
      const clientInfo = { name: 'wire', version: '1' };
      const params = { protocolVersion: revision, capabilities, clientInfo };
      const answer = await post(url, rpc('initialize', params), headers);
      const id = String(answer.headers['mcp-session-id']);
      return { 'mcp-session-id': id, 'mcp-protocol-version': revision };
    },
  };
};

export type ServedEndpoint = Awaited<ReturnType<typeof serveEndpoint>>;

/** Serves the sample service. */
export const serveSample = async (options?: EndpointOptions) => {
  const sample = sampleService();
  const endpoint = await serveEndpoint(sample.service, options);
  return {
    ...endpoint,
    sample,
    /** Waits until this number of calls of `hang` wait. */
    untilWaiting: (count: number) => until(() => sample.waiting() === count),
  };
};

export type Endpoint = Awaited<ReturnType<typeof serveSample>>;

/** Serves the sample service until the test is over. */
export const startSample = async (options?: EndpointOptions): Promise<Endpoint> => {
  const endpoint = await serveSample(options);
  onTestFinished(() => endpoint.drain(0));
  return endpoint;
};

/** Serves a service that talks to its clients, until the test is over. */
export const start = async (options?: EndpointOptions) => {
  const interactive = interactiveService();
  const endpoint = await serveEndpoint(interactive.service, options);
  onTestFinished(() => endpoint.drain(0));
  return {
    ...endpoint,
    interactive,
    /** Waits until this number of calls have reached `wait`. */
    untilWaiting: (count: number) => until(() => interactive.waiting.length === count),
    /** Reports progress of the latest call of `wait`. */
    report: (progress: number): void => interactive.waiting.at(-1)?.onProgress?.({ progress }),
  };
};

export type InteractiveEndpoint = Awaited<ReturnType<typeof start>>;

/** Starts two processes of one endpoint, joined by a bus that more can join. */
export const startTwo = async (options: EndpointOptions = {}) => {
  const bus = memoryBus();
  const limits = { peerTimeoutMs: 500, ...options.limits };
  const shared = { sessionKey: Buffer.alloc(32, 3), ...options, limits };
  const join = (id: string) => start({ ...shared, peers: bus.join(id) });
  return { bus, join, one: await join('one'), two: await join('two') };
};
