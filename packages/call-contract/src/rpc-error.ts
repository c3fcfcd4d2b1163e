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
