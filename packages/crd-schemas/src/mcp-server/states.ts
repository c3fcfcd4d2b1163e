/** `status.state` of a stdio server. @spec §2.6, §3 */
export const STDIO_STATES = ['Running', 'Starting', 'Stopped', 'Failed'] as const;

/** `status.state` of a remote server. @spec §2.6, §3 */
export const REMOTE_STATES = [
  'Connected',
  'Auth Required',
  'Connecting',
  'Disconnected',
  'Failed',
] as const;

/** A state of a stdio server. @spec §2.6 */
export type StdioState = (typeof STDIO_STATES)[number];

/** A state of a remote server. @spec §2.6 */
export type RemoteState = (typeof REMOTE_STATES)[number];

/** `status.state` of any server. Sign-in of a single user is not a state of the server. @spec §2.6 */
export type McpServerState = StdioState | RemoteState;
