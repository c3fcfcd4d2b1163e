import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the endpoint. */
export interface TokenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** An answer of the endpoint: a status with a JSON value or a text. */
export interface TokenAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A token endpoint on a loopback address whose answers a test chooses. */
export interface TokenEndpoint {
  readonly url: string;
  readonly issuer: string;
  readonly requests: readonly TokenRequest[];
  readonly close: () => Promise<void>;
}

/** Starts an endpoint. Each request is answered by `answer`; its result may wait. */
export const startTokenEndpoint = async (
  answer: (request: TokenRequest, issuer: string) => TokenAnswer | Promise<TokenAnswer>,
): Promise<TokenEndpoint> => {
  const requests: TokenRequest[] = [];
  let issuer = '';
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { method = '', url: path = '', headers } = request;
      const form = Object.fromEntries(new URLSearchParams(body));
      requests.push({ method, path, headers, form });
      const {
        status = 200,
        body: value,
        headers: more = {},
      } = await answer(requests.at(-1)!, issuer);
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    })();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${issuer}/token`,
    issuer,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
