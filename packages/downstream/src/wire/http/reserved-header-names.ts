/** Names that belong to HTTP itself or to the protocol, in lower case, so that nobody else sets them. */
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
