import { createMcpHttp, serveHttp, type RouteHandlers } from '../src/index.ts';
import type { HttpServerLimits, RequestEvent } from '../src/transports/http-server.ts';
import type { McpHttpLimits } from '../src/protocol/limits.ts';
import type { McpHttpStats, McpHttpOptions } from '../src/transports/mcp-http.ts';
import { sampleService, type SampleService } from './sample-service.ts';

/** A served endpoint, as the shared suites see it. */
export interface Endpoint {
  readonly url: string;
  readonly port: number;
  readonly sample: SampleService;
  readonly stats: () => McpHttpStats;
  readonly errors: unknown[];
  readonly refusals: string[];
  /** The requests that are over, their answers taken or cut. */
  readonly requests: readonly RequestEvent[];
  readonly drain: (timeoutMs: number) => Promise<void>;
}

export interface EndpointOptions {
  readonly limits?: Partial<McpHttpLimits>;
  readonly serverLimits?: Partial<HttpServerLimits>;
  readonly guard?: Pick<McpHttpOptions, 'allowedHosts' | 'allowedOrigins'>;
  readonly callers?: Pick<
    McpHttpOptions,
    'trustedProxies' | 'forwardedHeader' | 'rateLimit' | 'authenticate' | 'scopeChallenge'
  >;
  readonly routes?: RouteHandlers;
}

/** Starts a endpoint over a sample service on a free port of the loopback interface. */
export type StartEndpoint = (options?: EndpointOptions) => Promise<Endpoint>;

export const startHttpEndpoint: StartEndpoint = async (options = {}) => {
  const sample = sampleService();
  const errors: unknown[] = [];
  const refusals: string[] = [];
  const requests: RequestEvent[] = [];
  const mcp = createMcpHttp(sample.service, {
    ...options.guard,
    ...options.callers,
    ...(options.limits !== undefined && { limits: options.limits }),
    onError: (error) => errors.push(error),
    onRefusal: (code) => refusals.push(code),
  });
  const serving = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    mcp,
    ...(options.routes !== undefined && { routes: options.routes }),
    ...(options.serverLimits !== undefined && { limits: options.serverLimits }),
    onRequest: (event) => requests.push(event),
    onError: (error) => errors.push(error),
  });
  return {
    url: `${serving.url}/mcp`,
    port: serving.port,
    sample,
    stats: mcp.stats,
    errors,
    refusals,
    requests,
    drain: serving.drain,
  };
};
