import * as z from 'zod/mini';
import { describeField, nameField } from '../fields/field-facts.ts';
import {
  type ParsedFields,
  type StatusCondition,
  createIntegerField,
  createTextField,
  statusConditions,
  timeText,
} from '../fields/fields.ts';
import { MAX_STATUS_LINE_CHARS } from '../fields/limits.ts';

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

/** `status` of an `MCPServer`. Times are RFC 3339. @spec §2.6 status */
export interface McpServerStatus {
  readonly state: McpServerState;
  /**
   * The reason that the last attempt or connection ended: one line without secrets. Cleared when the server is connected again.
   */
  readonly lastError?: string;
  /** The time of the current or last connection; set on that transition only. */
  readonly lastConnected?: string;
  /** The number of tools that the server lists; absent while it is not connected. */
  readonly tools?: number;
  /** The number of automatic restarts since the server was defined. */
  readonly restartCount: number;
  /** Failures in a row; a stable connection starts again from 0. */
  readonly consecutiveFailures: number;
  readonly lastAttempt?: string;
  /** The time of the next attempt; absent unless one is scheduled. */
  readonly nextRetryAfter?: string;
  /** `Ready` and `ToolsDiscovered`; `ListsComplete` while a list lacks something; `NamesAccepted` while tools are not served because other servers hold their names. */
  readonly conditions: readonly StatusCondition[];
}

const count = createIntegerField({ min: 0 });
const states = [...new Set([...STDIO_STATES, ...REMOTE_STATES])];

/** `status` of an `MCPServer`, field by field. The gateway writes it; the status of a document is ignored. @spec §2.6 status */
export const mcpServerStatusFields = nameField(
  'MCPServerStatus',
  z.strictObject({
    state: describeField(
      `State of the process (${STDIO_STATES.join(', ')}) or of the connection (${REMOTE_STATES.join(', ')}).`,
      z.enum(states),
    ),
    lastError: describeField(
      'Why the last attempt or connection ended, without secrets; stays until the server is connected again.',
      z.exactOptional(createTextField({ max: MAX_STATUS_LINE_CHARS })),
    ),
    lastConnected: describeField(
      'When the present or the last connection was made.',
      z.exactOptional(timeText),
    ),
    tools: describeField(
      'The number of tools that the server lists; absent while it is not connected.',
      z.exactOptional(count),
    ),
    restartCount: describeField(
      'The number of automatic restarts since the server was defined.',
      count,
    ),
    consecutiveFailures: describeField('Failures in a row.', count),
    lastAttempt: describeField('When the last attempt began.', z.exactOptional(timeText)),
    nextRetryAfter: describeField('When the next attempt is due.', z.exactOptional(timeText)),
    conditions: describeField(
      'Ready and ToolsDiscovered; ListsComplete while lists lack something; NamesAccepted while another server holds a name.',
      statusConditions,
    ),
  } satisfies ParsedFields<McpServerStatus>),
);
