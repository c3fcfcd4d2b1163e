import { isJsonObject } from '@gateway/call-contract';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveStdioWithSdk } from '@modelcontextprotocol/server/stdio';
import { ClientLines } from './client-lines.ts';
import { DEFAULT_MCP_HTTP_LIMITS } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import {
  connectService,
  type ConnectedServer,
  type ProtocolServerOptions,
} from './protocol-server.ts';

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
  const { input = process.stdin, output = process.stdout } = options;
  const lines = new ClientLines(input, output, { ...DEFAULT_MCP_HTTP_LIMITS, ...options.limits });
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  let connected: ConnectedServer | undefined;
  const connect = (): ConnectedServer['server'] => {
    connected = connectService(service, { ...options, texts: lines });
    return connected.server;
  };
  const handle = serveStdioWithSdk(connect, {
    transport: lines,
    onerror: (error) => options.onError?.(error),
  });
  const { onclose, onmessage } = lines;
  lines.onmessage = (message) => {
    onmessage?.(message);
    // The server object is created shortly after the first message.
    setImmediate(() => followListened(connected, message));
  };
  lines.onclose = () => {
    onclose?.();
    end();
  };
  return { closed, close: () => handle.close() };
};

/**
 * Subscribes to the resources of `subscriptions/listen`: the SDK answers the method and filters the messages, but does not
 * subscribe.
 */
const followListened = (connected: ConnectedServer | undefined, message: unknown): void => {
  if (connected === undefined || !isJsonObject(message)) return;
  const { method, id, params } = message;
  if (!isJsonObject(params)) return;
  if (method === 'notifications/cancelled') connected.unfollow(groupOf(params['requestId']));
  if (method !== 'subscriptions/listen' || !isJsonObject(params['notifications'])) return;
  const uris = params['notifications']['resourceSubscriptions'];
  if (!Array.isArray(uris)) return;
  const texts = uris.filter((uri) => typeof uri === 'string');
  connected.follow(texts, groupOf(id));
};

const groupOf = (id: unknown): string => `subscriptions/listen ${JSON.stringify(id)}`;
