import { createMcpHttp, serveHttp, type McpHttp, type McpService } from '../src/index.ts';
import type { McpHttpOptions } from '../src/transports/mcp-http.ts';
import type { RequestEvent } from '../src/transports/http-server.ts';
import { interactiveService, type InteractiveService } from './interactive-service.ts';

/** A served service that talks to its clients. */
export interface InteractiveEndpoint {
  readonly url: string;
  readonly port: number;
  readonly interactive: InteractiveService;
  readonly mcp: McpHttp;
  readonly errors: unknown[];
  readonly drain: (timeoutMs: number) => Promise<void>;
}

type InteractiveEndpointOptions = McpHttpOptions & {
  /** The service behind this endpoint and others. */
  readonly interactive?: InteractiveService;
  readonly onRequest?: (event: RequestEvent) => void;
  readonly change?: (service: McpService) => McpService;
};

export const startInteractiveEndpoint = async (
  options: InteractiveEndpointOptions = {},
): Promise<InteractiveEndpoint> => {
  const { interactive = interactiveService(), change = (service) => service, ...rest } = options;
  const { onRequest = () => undefined } = options;
  const errors: unknown[] = [];
  const onError = (error: unknown): number => errors.push(error);
  const mcp = createMcpHttp(change(interactive.service), { ...rest, onError });
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp, onRequest, onError });
  const { port, drain } = serving;
  return { url: `${serving.url}/mcp`, port, interactive, mcp, errors, drain };
};

/** Starts endpoints for a test file and ends them after each test. */
export const interactiveEndpoints = (): {
  readonly start: typeof startInteractiveEndpoint;
  readonly end: () => Promise<void>;
} => {
  const endpoints: InteractiveEndpoint[] = [];
  return {
    start: async (options) => {
      const endpoint = await startInteractiveEndpoint(options);
      endpoints.push(endpoint);
      return endpoint;
    },
    end: async () => {
      await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
    },
  };
};
