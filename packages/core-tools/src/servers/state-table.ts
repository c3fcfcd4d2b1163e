import type { McpServerState } from '@gateway/crd-schemas';
import type { ServerHealth } from '../tool/ports.ts';

interface StateFacts {
  /** The state of the service: lower case, one word. */
  readonly service: string;
  /** The health of a server whose health checks have no result. */
  readonly health: ServerHealth;
  readonly isConnected: boolean;
  readonly isStarting: boolean;
}

const AT_REST = { isConnected: false, isStarting: false } as const;
const STARTING = { health: 'checking', isConnected: false, isStarting: true } as const;
const CONNECTED = { health: 'healthy', isConnected: true, isStarting: false } as const;

/** The facts about each state of a server that the tools report. @spec §2.6 */
export const STATES: { readonly [S in McpServerState]: StateFacts } = {
  Running: { service: 'running', ...CONNECTED },
  Starting: { service: 'starting', ...STARTING },
  Stopped: { service: 'stopped', health: 'unknown', ...AT_REST },
  Failed: { service: 'failed', health: 'unhealthy', ...AT_REST },
  Connected: { service: 'connected', ...CONNECTED },
  'Auth Required': { service: 'auth_required', health: 'unknown', ...AT_REST },
  Connecting: { service: 'connecting', ...STARTING },
  Disconnected: { service: 'disconnected', health: 'unknown', ...AT_REST },
};
