/** Error codes of JSON-RPC 2.0 §5.1 that are read and written here. */
export const RPC_CODE = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;
