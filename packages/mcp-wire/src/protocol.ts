/** Generation of the protocol: sessions that begin with `initialize`, or one envelope per request since 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** The methods that are answered with a list. */
export type ListMethod =
  'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** The methods that servers may answer asynchronously. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';

export const LIST_METHODS: readonly ListMethod[] = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
];

/** The methods of {@link CallMethod}; `has` takes the method of any request. */
export const CALL_METHODS: ReadonlySet<CallMethod> & { has(method: string): boolean } =
  new Set<CallMethod>(['tools/call', 'resources/read', 'prompts/get', 'completion/complete']);

/** The method of 2026-07-28 clients that opens a stream for changes. */
export const LISTEN_METHOD = 'subscriptions/listen';

/** Methods whose result may request input. MCP 2026-07-28, multi round-trip requests */
export const INPUT_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
] satisfies CallMethod[]);

/** The lists whose changes are announced. */
export type WatchedList = 'tools' | 'resources' | 'prompts';

/** The notifications that a list has changed. */
export const LIST_CHANGED: Readonly<Record<WatchedList, string>> = {
  tools: 'notifications/tools/list_changed',
  resources: 'notifications/resources/list_changed',
  prompts: 'notifications/prompts/list_changed',
};

/** Key of `_meta` for the lowest level of log messages. The constant of the SDK is deprecated, but clients and servers still use the key. */
export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';

/** Names of the HTTP headers of MCP, in lower case. MCP 2025-11-25 and 2026-07-28, Streamable HTTP */
export const SESSION_HEADER = 'mcp-session-id';
export const REVISION_HEADER = 'mcp-protocol-version';
export const METHOD_HEADER = 'mcp-method';
export const NAME_HEADER = 'mcp-name';
export const LAST_EVENT_HEADER = 'last-event-id';

/** Beginning of the names of headers that repeat arguments of a call. */
export const PARAM_HEADER_PREFIX = 'mcp-param-';

/** The parameter that {@link NAME_HEADER} repeats, by method. */
export const NAME_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const PRINTABLE = /^[\t\x20-\x7e]+$/;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Returns a text as the value of a header, in Base64 when it has other characters. */
export const encodeHeader = (text: string): string => {
  const plain = PRINTABLE.test(text) && text === text.trim() && !text.startsWith('=?base64?');
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
};

/** Returns the text of a header that {@link encodeHeader} wrote; `undefined` when its Base64 is malformed. */
export const decodeHeader = (value: string): string | undefined => {
  if (!(value.startsWith('=?base64?') && value.endsWith('?='))) return value;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};
