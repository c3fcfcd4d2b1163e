import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { startFeatures } from './feature-servers.ts';
import { defineServer } from './servers.ts';

/** A request as it reached the server. */
interface Received {
  readonly method: string;
  readonly token: string | undefined;
  readonly isAccepted: boolean;
}

/** A server with all features, which accepts the tokens of a set only. */
export interface ProtectedFeatures {
  readonly server: McpServer;
  readonly tokens: Set<string>;
  readonly received: readonly Received[];
  /** Ends the open event streams of the server. */
  readonly endStreams: () => void;
  /** Returns the number of open event streams. */
  readonly openStreams: () => number;
}

const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.authorization?.replace('Bearer ', '');

/** Passes an accepted request on to a server of this machine. */
const passOn = (to: URL, request: IncomingMessage, response: ServerResponse): void => {
  const { method, headers } = request;
  const target = new URL(request.url ?? '/', to);
  const sent = sendRequest(target, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  request.pipe(sent);
};

/** Starts such a server for one test. */
export const startProtectedFeatures = async (
  generation: 'gen1' | 'sse' | 'gen2',
  accepted: readonly string[],
): Promise<ProtectedFeatures> => {
  const features = await startFeatures(generation);
  const tokens = new Set(accepted);
  const received: Received[] = [];
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const token = tokenOf(request);
    const isAccepted = token !== undefined && tokens.has(token);
    received.push({ method: request.method ?? '', token, isAccepted });
    if (!isAccepted) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (request.method === 'GET') streams.add(response);
    response.on('close', () => streams.delete(response));
    passOn(new URL(features.url), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    features.kill();
  });
  const { port } = server.address() as AddressInfo;
  const url = new URL(features.url);
  url.port = String(port);
  const type = generation === 'sse' ? 'sse' : 'streamable-http';
  return {
    server: defineServer('features', { type, url: url.href, auth: { type: 'oauth' } }),
    tokens,
    received,
    endStreams: () => {
      for (const response of [...streams]) response.destroy();
    },
    openStreams: () => streams.size,
  };
};
