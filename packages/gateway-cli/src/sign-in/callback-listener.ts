import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFailure } from '../failure.ts';

const PATH = '/callback';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;

const RECEIVED = page(
  'Sign-in received',
  'Return to the terminal to see the result. You can close this page.',
);
const UNKNOWN = page(
  'Unknown sign-in',
  'This page does not belong to a sign-in that is in progress.',
);

/** Receives the response of one authorization request on a loopback address (RFC 8252 section 7.3). */
export interface CallbackListener {
  readonly redirectUri: string;
  /** Resolves with the URL of the first request that has the state; others are answered and ignored. */
  response(state: string, signal: AbortSignal): Promise<URL>;
  close(): void;
}

const reply = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { ...HEADERS, connection: 'close' });
  response.end(text);
};

/** Starts to listen on 127.0.0.1, on any free port. */
export const listenForCallback = async (): Promise<CallbackListener> => {
  let accept = (_url: URL): boolean => false;
  let origin = '';
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const isLocal = `http://${request.headers.host ?? ''}` === origin;
    const target = request.url ?? '';
    const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
    const isCallback = request.method === 'GET' && isLocal && url?.pathname === PATH;
    if (isCallback && accept(url)) reply(response, 200, RECEIVED);
    else reply(response, 400, UNKNOWN);
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`;
  return {
    redirectUri: origin + PATH,
    response: (state, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void =>
          reject(new CommandFailure('failed', 'the sign-in was not completed'));
        if (signal.aborted) abort();
        signal.addEventListener('abort', abort, { once: true });
        accept = (url) => {
          if (url.searchParams.get('state') !== state) return false;
          accept = () => false;
          resolve(url);
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
