import { createServer } from 'node:net';

/** Returns the error of listening at an address, which is free again afterwards; `undefined` when a service can listen there. */
export const findListenError = ({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });

/** The address at which a service was to listen, and the options that change it, as the user writes them. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** For example `--port`. */
  readonly portOption: string;
  readonly hostOption?: string;
}

/** System calls of a server that starts to listen: of its process, of the primary process of a cluster, and the lookup of its host. */
const LISTEN_CALLS: ReadonlySet<unknown> = new Set(['listen', 'bind', 'getaddrinfo']);

const textOf = (code: string, address: ListenAddress): string | undefined => {
  const { host, port, portOption, hostOption = '--host' } = address;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port.toString()} of ${host} is in use by another process: end that process, or choose another port with ${portOption}`;
    case 'EACCES':
      return `port ${port.toString()} of ${host} is reserved by the operating system: choose another port with ${portOption}, 1024 or higher`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine does not have the address ${host}: choose another one with ${hostOption}`;
    default:
      return undefined;
  }
};

/** Returns why a service did not start, as one line. When it could not listen, the line has the address and the remedy. */
export function formatStartFailure(error: unknown, address: ListenAddress): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, code, message } = error as NodeJS.ErrnoException;
  return (LISTEN_CALLS.has(syscall) ? textOf(code ?? '', address) : undefined) ?? message;
}
