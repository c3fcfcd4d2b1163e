import { request } from 'node:http';
import { INITIALIZE } from './initialize-message.ts';

/** An HTTP answer, read to its end. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A request as it goes over the wire; equal header names stay separate lines. */
export interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** Sends one HTTP request on a connection of its own, without any client library. */
export function rawRequest(url: URL, raw: RawRequest = {}): Promise<RawAnswer> {
  const { path = '/mcp', method = 'POST', headers = [], body } = raw;
  const lines = new Map<string, string[]>();
  for (const [name, value] of headers) lines.set(name, [...(lines.get(name) ?? []), value]);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: url.hostname, port: url.port, path, method, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    for (const [name, values] of lines) outgoing.setHeader(name, values);
    outgoing.on('error', reject).end(body);
  });
}

const JSON_HEADERS = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
] as const;

/** Opens a session and gives its id. */
export async function rawSession(url: URL): Promise<string> {
  const { headers } = await rawRequest(url, {
    headers: JSON_HEADERS,
    body: JSON.stringify(INITIALIZE),
  });
  return String(headers['mcp-session-id']);
}

/** Calls a tool by one bare `tools/call` without a session, with these header lines. */
export async function rawCall(
  url: URL,
  call: { readonly name: string; readonly arguments?: object },
  headers: readonly (readonly [string, string])[] = [],
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const answer = await rawRequest(url, {
    headers: [...JSON_HEADERS, ...headers],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  const json = answer.body.startsWith('{') ? answer.body : dataOf(answer.body);
  const { result } = JSON.parse(json) as {
    result: { content: { text: string }[]; isError?: boolean };
  };
  return { text: result.content[0]?.text ?? '', isError: result.isError === true };
}

function dataOf(events: string): string {
  const lines = events.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.at(-1)?.slice('data: '.length) ?? '';
}
