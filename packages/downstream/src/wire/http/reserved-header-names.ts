/** Header names that belong to HTTP or the protocol, in lower case. Definitions and arguments must not set them. */
export const RESERVED_HEADER_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
]);
