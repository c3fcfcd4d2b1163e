import * as z from 'zod/mini';
import { boundedText } from '../fields/bounded-text.ts';
import { described, named } from '../fields/field-facts.ts';
import { MAX_STATUS_LINE_CHARS } from '../resource/limits.ts';
import { statusConditions, timeText, type FieldsOf } from '../fields/status-fields.ts';
import type { McpServerStatus } from './mcp-server-status.ts';
import { REMOTE_STATES, STDIO_STATES } from './states.ts';

const count = z.int().check(z.minimum(0));
const states = [...new Set([...STDIO_STATES, ...REMOTE_STATES])];

/** `status` of an `MCPServer`, field by field. The gateway writes it; the status of a document is ignored. @spec §2.6 status */
export const mcpServerStatusFields = named(
  'MCPServerStatus',
  z.strictObject({
    state: described(
      `State of the process (${STDIO_STATES.join(', ')}) or of the connection (${REMOTE_STATES.join(', ')}).`,
      z.enum(states),
    ),
    lastError: described(
      'Why the last attempt or connection ended, without secrets; stays until the server is connected again.',
      z.exactOptional(boundedText({ max: MAX_STATUS_LINE_CHARS })),
    ),
    lastConnected: described(
      'When the present or the last connection was made.',
      z.exactOptional(timeText),
    ),
    tools: described(
      'The number of tools that the server lists; absent while it is not connected.',
      z.exactOptional(count),
    ),
    restartCount: described(
      'The number of automatic restarts since the server was defined.',
      count,
    ),
    consecutiveFailures: described('Failures in a row.', count),
    lastAttempt: described('When the last attempt began.', z.exactOptional(timeText)),
    nextRetryAfter: described('When the next attempt is due.', z.exactOptional(timeText)),
    conditions: described(
      'Ready and ToolsDiscovered; ListsComplete while lists lack something; NamesAccepted while another server holds a name.',
      statusConditions,
    ),
  } satisfies FieldsOf<McpServerStatus>),
);
