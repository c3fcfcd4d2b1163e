import { OPERATIONS, REFUSAL_STATUS, type OperationName } from '@gateway/agent-manager-client';
import { rawRequest } from './raw-http.ts';

/** The answer to a call over either transport. */
export interface TransportAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The words with which the message of a code starts over REST. */
const STARTS: ReadonlyMap<string, string> = new Map([
  ['invalid_request', 'invalid request: '],
  ['unauthenticated', 'unauthorized: '],
  ['forbidden', 'forbidden: '],
  ['not_found', 'not found: '],
  ['conflict', 'conflict: '],
  ['unsupported', 'unsupported: '],
]);

type Arguments = Readonly<Record<string, unknown>>;

const placeholders = /\{(\w+)\}/gu;

/** Returns the request that is equivalent to a tool call. */
function restRequest(name: OperationName, given: Arguments) {
  const { method, route, query } = OPERATIONS[name];
  const left = new Map(Object.entries(given));
  const path = route.replace(placeholders, (_all, argument: string) => {
    const value = left.get(argument) ?? (argument === 'namespace' ? 'default' : '');
    left.delete(argument);
    return encodeURIComponent(value as string);
  });
  const hasBody = method === 'POST' || method === 'PATCH';
  const inQuery = [...left].filter(
    ([key]) => !hasBody || (query as readonly string[]).includes(key),
  );
  for (const [key] of inQuery) if (!hasBody) left.delete(key);
  const search = hasBody
    ? ''
    : new URLSearchParams(
        inQuery.map(([key, value]): [string, string] => [key, String(value)]),
      ).toString();
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    ...(hasBody && {
      headers: { 'content-type': 'application/json' },
      body: `{${[...left].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
    }),
  };
}

/** Calls an operation over MCP, and returns the response in the form of REST. */
export async function overRest(
  url: string,
  name: OperationName,
  given: Arguments,
): Promise<TransportAnswer> {
  const { status, body } = await rawRequest(url, restRequest(name, given));
  return { status, body: JSON.parse(body) as unknown };
}

/** Sends one JSON-RPC request without a session. */
export async function rpc(url: string, method: string, params: string): Promise<unknown> {
  const { body } = await rawRequest(url, {
    method: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`,
  });
  return JSON.parse(body) as unknown;
}

interface ToolAnswer {
  readonly result: {
    readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
    readonly isError?: true;
  };
}

/** Calls an operation over MCP, and says the answer in the words of REST. */
export async function overMcp(
  url: string,
  name: OperationName,
  given: Arguments,
): Promise<TransportAnswer> {
  const members = Object.entries(given)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',');
  const answer = await rpc(url, 'tools/call', `{"name":"${name}","arguments":{${members}}}`);
  const { content, isError } = (answer as ToolAnswer).result;
  const { text } = content[0];
  if (isError !== true) return { status: OPERATIONS[name].status, body: JSON.parse(text) };
  const [, code = '', reason] = /^(\w+): ([^]*)$/u.exec(text) ?? [];
  return {
    status: REFUSAL_STATUS[code as keyof typeof REFUSAL_STATUS],
    body: { error: { code, message: `${STARTS.get(code) ?? ''}${reason ?? ''}` } },
  };
}

/** The two ways to every operation. */
export const TRANSPORTS = { rest: overRest, mcp: overMcp } as const;
