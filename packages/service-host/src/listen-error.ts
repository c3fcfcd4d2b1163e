import { createServer } from 'node:net';

/** Returns the error of listening at an address, which is free again afterwards; `undefined` when a service can listen there. */
export const listenError = ({
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
