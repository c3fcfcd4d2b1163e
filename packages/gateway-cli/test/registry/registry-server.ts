import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the registry. */
export interface RegistryAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A registry that runs in this process. */
export interface RegistryServer extends AsyncDisposable {
  readonly url: string;
  /** The paths and queries of the requests. */
  readonly requests: readonly string[];
}

/** Starts an HTTP server on a free port of this machine; absent answers have the status 404. */
export const startRegistry = async (
  answer: (url: URL) => RegistryAnswer | undefined,
): Promise<RegistryServer> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { status = 200, headers = {}, body = {} } = answer(url) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
