import type { McpServerState, McpServerType, RemoteState, StdioState } from '@gateway/crd-schemas';
import type { Phase } from './server-machine.ts';

const STDIO: Readonly<Record<Phase['kind'], StdioState>> = {
  stopped: 'Stopped',
  starting: 'Starting',
  live: 'Running',
  waiting: 'Failed',
  // A child cannot answer 401, and a stdio server has no word for it.
  'auth-required': 'Failed',
  stopping: 'Stopped',
  restarting: 'Starting',
};

const REMOTE: Readonly<Record<Phase['kind'], RemoteState>> = {
  stopped: 'Disconnected',
  starting: 'Connecting',
  live: 'Connected',
  waiting: 'Failed',
  'auth-required': 'Auth Required',
  stopping: 'Disconnected',
  restarting: 'Connecting',
};

/** The word that the resource status shows for a phase. @spec §2.6 */
export const stateWord = (type: McpServerType, phase: Phase['kind']): McpServerState =>
  (type === 'stdio' ? STDIO : REMOTE)[phase];
