import { openLink, type LinkPort } from '@gateway/process-link';
import { PEER_RELAY_MEMBERS, type PeerContract, type PeerRelayContract } from './peer-relay.ts';

/** The other workers, as the MCP endpoint reaches them. */
export interface WorkerPeers {
  readonly id: string;
  send(message: object): void;
  onMessage(handler: (message: unknown) => void): () => void;
}

/** Returns the other workers. Messages to them go through the primary process. */
export function workerPeers(id: string, port: LinkPort): WorkerPeers {
  const handlers = new Set<(message: unknown) => void>();
  const implementation: PeerContract = {
    receive: (text) => {
      const message: unknown = JSON.parse(text);
      for (const handler of [...handlers]) handler(message);
    },
  };
  const relay = openLink<PeerRelayContract>(port, { members: PEER_RELAY_MEMBERS, implementation });
  return {
    id,
    send: (message) => {
      const to = 'to' in message && typeof message.to === 'string' ? [message.to] : [];
      relay.send(JSON.stringify(message), ...to);
    },
    onMessage: (handler) => {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
  };
}
