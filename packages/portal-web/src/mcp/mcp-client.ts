import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { isJsonObject, type JsonObject, toObject } from '@gateway/call-contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { parseObject } from './json.ts';

/** The outcome of a request to the gateway. `status` is 0 without a response. */
type McpOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code?: number;
      readonly message: string;
    };

/** A progress report of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Yields the JSON-RPC messages of a response: one of a JSON body, or those of an event stream as they arrive. */
const readMessages = async function* (
  response: Response,
): AsyncGenerator<JsonObject, void, undefined> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) {
    const message = parseObject(await response.text());
    if (message !== undefined) yield message;
    return;
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const message = parseObject(read.value.data);
    if (message !== undefined) yield message;
  }
};

/** The options of one request. */
export interface McpRequestOptions {
  /** The toolset that narrows the catalog for this request. @spec §4.1 */
  readonly toolset?: readonly string[];
  readonly signal?: AbortSignal;
  readonly meta?: JsonObject;
  /** The capabilities that this request declares; by default those for questions of servers. */
  readonly capabilities?: JsonObject;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with every other notification of the response's stream. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
}

/** Sends requests to the gateway, in the stateless revision 2026-07-28. No function rejects. */
export interface McpClient {
  readonly request: (
    method: string,
    params: JsonObject,
    options?: McpRequestOptions,
  ) => Promise<McpOutcome>;
}

/** The version of the portal. */
export const VERSION = '0.239.0';

const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const CAPABILITIES = { elicitation: { form: {}, url: {} } };

const createEnvelope = (
  { meta, capabilities = CAPABILITIES }: McpRequestOptions,
  progressToken?: number,
): JsonObject => ({
  ...meta,
  [`${PREFIX}/protocolVersion`]: REVISION,
  [`${PREFIX}/clientInfo`]: { name: 'portal', version: VERSION },
  [`${PREFIX}/clientCapabilities`]: capabilities,
  ...(progressToken !== undefined && { progressToken }),
});

const createHeaders = (
  method: string,
  params: JsonObject,
  toolset?: readonly string[],
): Headers => {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    'x-gateway-expose': 'meta',
  });
  const name = params['name'] ?? params['uri'];
  if (typeof name === 'string') headers.set('mcp-name', encodeHeader(name));
  if (toolset !== undefined) headers.set(TOOLSET_HEADER, toolset.join(','));
  return headers;
};

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Names outside printable ASCII are sent in base64, as the revision says. */
const encodeHeader = (text: string): string => {
  if (PLAIN.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
};

const toFailure = (status: number, error: unknown): McpOutcome => {
  const code = isJsonObject(error) ? error['code'] : undefined;
  const message = isJsonObject(error) ? error['message'] : undefined;
  return {
    ok: false,
    status,
    ...(typeof code === 'number' && { code }),
    message: typeof message === 'string' ? message : `The gateway answered with status ${status}.`,
  };
};

const toOutcome = (status: number, message: JsonObject): McpOutcome => {
  const { result } = message;
  return isJsonObject(result) ? { ok: true, result } : toFailure(status, message['error']);
};

const report = (message: JsonObject, options: McpRequestOptions): void => {
  const { method } = message;
  const params = toObject(message['params']);
  if (typeof method !== 'string') return;
  if (method === 'notifications/progress') options.onProgress?.(params as unknown as Progress);
  else options.onNotification?.(method, params);
};

const readOutcome = async (response: Response, options: McpRequestOptions): Promise<McpOutcome> => {
  for await (const message of readMessages(response)) {
    if ('id' in message && !('method' in message)) return toOutcome(response.status, message);
    if ('error' in message) return toFailure(response.status, message['error']);
    report(message, options);
  }
  return toFailure(response.status, undefined);
};

/**
 * Creates a client of the gateway.
 *
 * @param send sends a request to the endpoint of the gateway in the name of the user
 */
export const createMcpClient = (send: (init: RequestInit) => Promise<Response>): McpClient => {
  let id = 0;
  return {
    request: async (method, params, options = {}) => {
      id += 1;
      const progressToken = options.onProgress === undefined ? undefined : id;
      const _meta = createEnvelope(options, progressToken);
      try {
        const response = await send({
          method: 'POST',
          headers: createHeaders(method, params, options.toolset),
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
          ...(options.signal !== undefined && { signal: options.signal }),
        });
        return await readOutcome(response, options);
      } catch {
        const message =
          options.signal?.aborted === true
            ? 'The request was cancelled.'
            : 'The portal cannot be reached.';
        return { ok: false, status: 0, message };
      }
    },
  };
};
