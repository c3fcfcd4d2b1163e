/** A session of a client of the 2025 era: the headers of its requests. */
export type SessionHeaders = Readonly<Record<string, string>>;

const REVISION = '2025-11-25';
const ACCEPTED = { accept: 'application/json, text/event-stream' };

/** Returns a JSON-RPC request. */
export const rpcOf = (method: string, params: object = {}, id: number | string = 1): object => ({
  ...{ jsonrpc: '2.0', id, method, params },
});

/** Returns a call of a tool of the catalog through `call_tool`. */
export const toolCallOf = (name: string, args: object = {}, id = 1): object =>
  rpcOf('tools/call', { name: 'call_tool', arguments: { name, arguments: args } }, id);

/** Posts one message and reads the whole answer. */
export async function postMessage(
  url: URL,
  message: object,
  { headers }: { readonly headers?: SessionHeaders } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const answer = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ACCEPTED, ...headers },
    body: JSON.stringify(message),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Starts a session. */
export async function startSession(url: URL, capabilities: object = {}): Promise<SessionHeaders> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: REVISION, capabilities, clientInfo };
  const { status, headers, text } = await postMessage(url, rpcOf('initialize', params));
  const id = headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${String(status)} ${text}`);
  return { 'mcp-session-id': id, 'mcp-protocol-version': REVISION };
}

/** A stream of a session that is read until it ends. */
export interface SessionStream {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that was received. */
  readonly text: () => string;
  readonly ended: Promise<void>;
  readonly cut: () => void;
}

/** Opens a stream by `GET`, or by `POST` when there is a message. */
export async function openStream(
  url: URL,
  headers: SessionHeaders,
  message?: object,
): Promise<SessionStream> {
  const abort = new AbortController();
  const answer = await fetch(new URL('/mcp', url), {
    method: message === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...ACCEPTED, ...headers },
    ...(message !== undefined && { body: JSON.stringify(message) }),
    signal: abort.signal,
  });
  let received = '';
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? [])
      received += decoder.decode(chunk, { stream: true });
  };
  return {
    ...{ status: answer.status, headers: answer.headers },
    text: () => received,
    ended: read().catch(() => undefined),
    cut: () => {
      abort.abort();
    },
  };
}
