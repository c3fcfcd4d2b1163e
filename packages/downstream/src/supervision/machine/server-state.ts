import type { McpServerState, McpServerType, RemoteState, StdioState } from '@gateway/crd-schemas';
import type { PhaseKind } from './phase.ts';

const STDIO: Readonly<Record<PhaseKind, StdioState>> = {
  stopped: 'Stopped',
  starting: 'Starting',
  live: 'Running',
  waiting: 'Failed',
  // A child cannot answer 401, and a stdio server has no word for it.
  'auth-required': 'Failed',
  stopping: 'Stopped',
  restarting: 'Starting',
};

const REMOTE: Readonly<Record<PhaseKind, RemoteState>> = {
  stopped: 'Disconnected',
  starting: 'Connecting',
  live: 'Connected',
  waiting: 'Failed',
  'auth-required': 'Auth Required',
  stopping: 'Disconnected',
  restarting: 'Connecting',
};

/** The word that the resource status shows for a phase. @spec §2.6 */
export const stateWord = (type: McpServerType, phase: PhaseKind): McpServerState =>
  (type === 'stdio' ? STDIO : REMOTE)[phase];
