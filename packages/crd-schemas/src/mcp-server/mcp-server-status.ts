import type { StatusCondition } from '../resource/status-condition.ts';
import type { McpServerState } from './states.ts';

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
