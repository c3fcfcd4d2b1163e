import type { Peers, SessionRecords } from '@gateway/mcp-http';
import type { StateStore } from '@gateway/state-store';
import { replicaPeers } from './replica-peers.ts';
import { storedSessionRecords } from './session-records.ts';

/** The parts of the MCP endpoint that processes with the same state store share. */
export interface Replicas {
  readonly peers: Peers;
  readonly sessionRecords: SessionRecords;
}

/** Connects the MCP endpoint of this process with those of all processes that use the same state store. The end of the store ends it. */
export const joinReplicas = (store: StateStore): Replicas => ({
  peers: replicaPeers(store),
  sessionRecords: storedSessionRecords(store),
});
