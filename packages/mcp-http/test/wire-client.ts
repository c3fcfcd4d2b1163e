import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { request, type Dispatcher } from 'undici';

export const BOTH = 'application/json, text/event-stream';
const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
export const ENVELOPE = {
  [`${PREFIX}/protocolVersion`]: REVISION,
  [`${PREFIX}/clientCapabilities`]: {},
} as const;

export type Headers = Readonly<Record<string, string | string[]>>;

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  // Wire tests read answers of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export interface Sent {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Sends one request and reads its whole answer. */
export const send = async (
  url: string,
  { method, headers, body, signal }: Sent,
): Promise<Answer> => {
  const answer = await request(url, {
    method: method ?? 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) };
};

/** Posts a JSON value. */
export const post = (url: string, value: unknown, headers: Headers = {}): Promise<Answer> =>
  send(url, { body: JSON.stringify(value), headers });

export const rpc = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

/** A notification. */
export const tell = (method: string, params?: object): object => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
});

export const call = (name: string, args: object = {}, meta?: object): object =>
  rpc('tools/call', { name, arguments: args, ...(meta !== undefined && { _meta: meta }) });

/** Posts a request of revision 2026-07-28 with its envelope and mirrored headers. */
export const postModern = (
  url: string,
  method: string,
  params: object = {},
  { headers, signal }: Pick<Sent, 'headers' | 'signal'> = {},
): Promise<Answer> => {
  const { name, _meta: meta } = params as { name?: unknown; _meta?: object };
  return send(url, {
    body: JSON.stringify(rpc(method, { ...params, _meta: { ...ENVELOPE, ...meta } })),
    headers: {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    ...(signal !== undefined && { signal }),
  });
};

/** The messages of an event stream. */
export const eventsOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);

/** Opens a plain socket to an endpoint. */
export const rawSocket = async (
  { port }: { readonly port: number },
  localAddress = '127.0.0.1',
): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

/** Reads a socket until the other side closes it. */
export const readToEnd = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Not `once` of node:events, which rejects on the errors that misbehaving on purpose brings about.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
};

/** A `POST` as bytes. */
export const rawRequest = (lines: readonly string[], body = ''): string =>
  [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Accept: ${BOTH}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
    '',
    body,
  ].join('\r\n');

/** A `GET` of a stream as bytes. */
export const rawGet = (lines: readonly string[]): string =>
  ['GET /mcp HTTP/1.1', 'Host: localhost', 'Accept: text/event-stream', ...lines, '', ''].join(
    '\r\n',
  );

/** The value that a tool gives as its text. */
export const readText = (result: unknown): unknown => {
  const [item] = (result as { readonly content: readonly { readonly text: string }[] }).content;
  return JSON.parse(item?.text ?? 'null') as unknown;
};

/** The value that a tool gives in a JSON answer. */
export const readAnswer = ({ json }: Answer): unknown => readText(json.result);

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** A request of 2026-07-28 for changes. */
export const listening = (notifications: unknown, id: unknown = 'sub') => ({
  headers: { 'mcp-protocol-version': REVISION, 'mcp-method': 'subscriptions/listen' },
  body: rpc('subscriptions/listen', { notifications, _meta: ENVELOPE }, id),
});

/** Waits until a condition holds; fails after thirty seconds. */
export const until = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('The condition did not come true');
    await pause(2);
  }
};
