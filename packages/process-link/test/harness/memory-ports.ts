import type { LinkPort } from '../../src/index.ts';

/** Two connected ports in this process. Nothing is delivered before the test delivers it. */
export interface MemoryPorts {
  readonly client: LinkPort;
  readonly server: LinkPort;
  /** Messages that are not delivered yet, in the order in which they were sent. */
  readonly toClient: unknown[];
  readonly toServer: unknown[];
  /** Delivers everything, including the messages that are sent meanwhile. */
  settle(): Promise<void>;
  /** Delivers any value to the server. */
  deliver(message: unknown): void;
  close(): void;
}

/** Creates the ports. @param isSent whether messages of the server leave its process when they are delivered */
export const memoryPorts = (isSent: () => boolean = () => true): MemoryPorts => {
  const toClient: unknown[] = [];
  const toServer: unknown[] = [];
  const handlers = new Map<'client' | 'server', (message: unknown) => void>();
  const closeHandlers: (() => void)[] = [];
  const port = (own: 'client' | 'server', queue: unknown[]): LinkPort => ({
    send: (message, sent) => {
      queue.push(structuredClone(message));
      if (own === 'client' || isSent()) sent();
    },
    onMessage: (handler) => void handlers.set(own, handler),
    onClose: (handler) => void closeHandlers.push(handler),
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    client: port('client', toServer),
    server: port('server', toClient),
    toClient,
    toServer,
    async settle() {
      do {
        for (const message of toServer.splice(0)) handlers.get('server')?.(message);
        await turn();
        for (const message of toClient.splice(0)) handlers.get('client')?.(message);
        await turn();
      } while (toServer.length + toClient.length > 0);
    },
    deliver: (message) => handlers.get('server')?.(message),
    close: () => {
      for (const handler of closeHandlers) handler();
    },
  };
};
