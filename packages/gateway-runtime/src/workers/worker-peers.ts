import type { TopicPort } from './channel.ts';
import { postLetter, type PeerLetter } from './peer-relay.ts';

/** The other workers, as the MCP endpoint reaches them. */
export interface WorkerPeers {
  readonly id: string;
  send(message: object): void;
  onMessage(handler: (message: unknown) => void): () => void;
}

/** Reaches the other workers through the primary. */
export function workerPeers(id: string, port: TopicPort): WorkerPeers {
  const handlers = new Set<(message: unknown) => void>();
  port.onMessage((letter) => {
    const message: unknown = JSON.parse((letter as PeerLetter).text);
    for (const handler of [...handlers]) handler(message);
  });
  return {
    id,
    send: (message) => {
      const to = 'to' in message && typeof message.to === 'string' ? message.to : undefined;
      const text = JSON.stringify(message);
      postLetter(port, { text, ...(to !== undefined && { to }) });
    },
    onMessage: (handler) => {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
  };
}
