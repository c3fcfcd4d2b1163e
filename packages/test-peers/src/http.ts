import { type Certificate, createSelfSignedCertificate } from './certificate-authority.ts';
import tls from 'node:tls';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

let made: Promise<Certificate> | undefined;

/** Returns the certificate of this process for `https://127.0.0.1`. From now on this process trusts it. */
export const createLoopbackCertificate = (): Promise<Certificate> =>
  (made ??= createSelfSignedCertificate().then((certificate) => {
    // eslint-disable-next-line n/no-unsupported-features/node-builtins -- tests run on the Node of the applications
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert]);
    return certificate;
  }));

/** A response in place of the real one. `hang` sends nothing, `reset` ends the connection. */
export type Fault =
  | 'hang'
  | 'reset'
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Chooses the requests that fail. The path has no query. */
export type FaultRule = (request: {
  readonly method: string;
  readonly path: string;
}) => Fault | undefined;

export const sendFault = (
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (fault === 'hang') return;
  if (fault === 'reset') {
    request.socket.destroy();
    return;
  }
  response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
  response.end(fault.body ?? '');
};

export interface Listening {
  readonly origin: string;
  readonly port: number;
  readonly serve: (handler: RequestListener) => void;
  readonly close: () => Promise<void>;
}

/** Ends all connections of a server and closes its port. */
export const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};

/** How a server listens. */
export interface ListenOptions {
  readonly port?: number | undefined;
  /** Serves https with a certificate that this process trusts. */
  readonly tls?: boolean | undefined;
}

export const listen = async ({ port = 0, tls = false }: ListenOptions = {}): Promise<Listening> => {
  // Thousands of users sign in at once on a busy machine: idle connections stay, so that no request meets one that closes.
  const options = { keepAliveTimeout: 0 };
  const server: Server = tls
    ? createTlsServer({ ...options, ...(await createLoopbackCertificate()) })
    : createServer(options);
  server.listen({ host: '127.0.0.1', port, backlog: 4096 });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    port: address.port,
    serve: (handler) => void server.on('request', handler),
    close: () => closeServer(server),
  };
};
