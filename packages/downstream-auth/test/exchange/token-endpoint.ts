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

/** Starts a token endpoint on a loopback address. Each request is answered by `answer`; its result may wait. */
export const startTokenEndpoint = async (
  answer: (request: TokenRequest, issuer: string) => TokenAnswer | Promise<TokenAnswer>,
) => {
  const requests: TokenRequest[] = [];
  let issuer = '';
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { method = '', url: path = '', headers } = request;
      const received = {
        method,
        path,
        headers,
        form: Object.fromEntries(new URLSearchParams(text)),
      };
      requests.push(received);
      const { status = 200, body, headers: more = {} } = await answer(received, issuer);
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    })();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `${issuer}/token`, issuer, requests: requests as readonly TokenRequest[], close };
};
