import { connect as connectPlain, isIP } from 'node:net';
import type { OnReadOpts, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { HttpClientError } from './http-client-error.ts';

/** The server at the other end of connections. */
export interface SocketTarget {
  readonly isSecure: boolean;
  /** Name or address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Value of the `Host` header. */
  readonly authority: string;
}

/** Receives the events of a socket. */
export interface SocketEvents {
  /** The TCP and TLS handshakes are complete. */
  onOpen(): void;
  /** Receives bytes, which are valid during the call only. */
  onBytes(bytes: Buffer): void;
  /** The server sends no more bytes. */
  onEnd(): void;
  /** The socket is closed. Called once. */
  onClose(error: Error | undefined): void;
}

const READ_BYTES = 64 * 1024;
const KEEP_ALIVE_PROBE_MS = 60_000;

/** All sockets read into the same memory: the bytes of one reading are used before the next. */
let memory: Buffer | undefined;

const onread = (events: SocketEvents): OnReadOpts => ({
  buffer: (memory ??= Buffer.allocUnsafeSlow(READ_BYTES)),
  callback: (size, buffer) => {
    events.onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, size));
    return true;
  },
});

/** Returns the target of an origin, for example `https://host:8443`. */
export const socketTarget = (origin: string): SocketTarget => {
  const { protocol, hostname, port, host } = new URL(origin);
  const isSecure = protocol === 'https:';
  if (!isSecure && protocol !== 'http:')
    throw new HttpClientError('invalid-request', `"${protocol}" is neither "http:" nor "https:"`);
  return {
    isSecure,
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    authority: host,
  };
};

/** Opens TLS connections to one server and resumes the session of the last one. */
export class SocketOpener {
  readonly target: SocketTarget;
  readonly #connectTimeoutMs: number;
  #session: Buffer | undefined;

  /** @param connectTimeoutMs bounds the TCP and TLS handshakes */
  constructor(target: SocketTarget, connectTimeoutMs: number) {
    this.target = target;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** Opens a socket. Its failure is reported as its close. */
  open(events: SocketEvents): Socket {
    const { host, port, isSecure, authority } = this.target;
    const options = {
      ...{ host, port, noDelay: true, onread: onread(events) },
      ...{ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS },
    };
    const socket = isSecure ? this.#openTls(options) : connectPlain(options);
    const timer = setTimeout(() => {
      const problem = `no connection to ${authority} within ${this.#connectTimeoutMs} ms`;
      socket.destroy(new HttpClientError('connect-timeout', problem));
    }, this.#connectTimeoutMs);
    let failure: Error | undefined;
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      events.onOpen();
    });
    socket.once('end', () => events.onEnd());
    socket.on('error', (error: Error) => {
      failure ??= error;
    });
    socket.once('close', () => {
      clearTimeout(timer);
      events.onClose(failure);
    });
    return socket;
  }

  #openTls(options: ConnectionOptions): TLSSocket {
    const { host } = this.target;
    const socket = connectTls({
      ...options,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(this.#session === undefined ? {} : { session: this.#session }),
    });
    socket.on('session', (session: Buffer) => {
      this.#session = session;
    });
    socket.once('error', () => {
      this.#session = undefined;
    });
    return socket;
  }
}
