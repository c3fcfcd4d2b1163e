import type { Readable, Writable } from 'node:stream';
import {
  serveStdio as serveStdioWithSdk,
  StdioServerTransport,
} from '@modelcontextprotocol/server/stdio';
import type { McpService } from './mcp-service.ts';
import { createProtocolServer, type ProtocolServerOptions } from './protocol-server.ts';

/** How to serve over a pair of streams. */
export interface ServeStdioOptions extends ProtocolServerOptions {
  /** Default: the standard input of the process. */
  readonly input?: Readable;
  /** Default: the standard output of the process. */
  readonly output?: Writable;
}

/** A service on standard input and output. */
export interface StdioServing {
  /** Resolves once the client has closed its end or `close` was called. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves one client over standard input and output, one JSON message per line, in every revision. */
export const serveStdio = (service: McpService, options: ServeStdioOptions = {}): StdioServing => {
  const wire = new StdioServerTransport(options.input, options.output);
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handle = serveStdioWithSdk(() => createProtocolServer(service, options), {
    transport: wire,
    onerror: (error) => options.onError?.(error),
  });
  const { onclose } = wire;
  wire.onclose = () => {
    onclose?.();
    end();
  };
  return { closed, close: () => handle.close() };
};
