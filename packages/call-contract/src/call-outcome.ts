import type { RawObject } from '@gateway/mcp-wire';
import type { JsonObject } from './json.ts';

/** Error member of a JSON-RPC response. @spec JSON-RPC 2.0 §5.1 */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Error codes of JSON-RPC 2.0 §5.1 and of the server range that MCP uses. */
export const RPC_CODE = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  transport: -32_000,
  sessionNotFound: -32_001,
  timeout: -32_001,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
} as const;

/** The result of a call: the text that a server sent, or an object that the gateway made. */
export type CallResult = RawObject | JsonObject;

/** The result of a call, unchanged, or the reason why there is none. */
export type CallOutcome =
  | { readonly ok: true; readonly result: CallResult }
  | {
      readonly ok: false;
      /** The reason, as the end of a sentence: `server not found: files`. */
      readonly text: string;
      /** The JSON-RPC error of the server, when that is the reason. */
      readonly error?: RpcError;
    };
