import type { StatusCondition } from '../resource/status-condition.ts';
import type { McpServerState } from './states.ts';

/** `status` of an `MCPServer`. Times are RFC 3339. @spec §2.6 status */
export interface McpServerStatus {
  readonly state: McpServerState;
  /** Why the last attempt or connection ended: one line without secrets. Stays until the server is connected again. */
  readonly lastError?: string;
  /** When the present or the last connection was made; set on that transition only. */
  readonly lastConnected?: string;
  /** How often the gateway started the server again by itself since it was defined. */
  readonly restartCount: number;
  /** Failures in a row; a stable connection starts again from 0. */
  readonly consecutiveFailures: number;
  readonly lastAttempt?: string;
  /** When the next attempt is due; absent unless one is scheduled. */
  readonly nextRetryAfter?: string;
  /** `Ready` and `ToolsDiscovered`. */
  readonly conditions: readonly StatusCondition[];
}
