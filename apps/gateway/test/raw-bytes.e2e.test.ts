import { atEnd, setUp, testDirectory } from './harness/lifetime.ts';
import { retryAssertion } from '@gateway/repo-checks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RAW, rawAnswer } from './fixtures/raw-answers.mjs';
import { SERVER_ENV, startGateway, stdioCommand, type RunningGateway } from './harness/gateway.ts';
import { startSession } from './harness/mcp-posts.ts';

const FIXTURE = fileURLToPath(new URL('./fixtures/raw-answers.mjs', import.meta.url));
const directory = testDirectory();

/** Answers requests with their bodies over HTTP. Returns the URL. */
const listen = async (
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Promise<string> => {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(request, response, body));
  }).listen(0, '127.0.0.1');
  atEnd(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};

/** A server over Streamable HTTP that answers with JSON or with events. */
const listenHttp = (isModern: boolean, isEvents: boolean) =>
  listen(({ method }, response, body) => {
    const answer = method === 'POST' ? rawAnswer(body, isModern) : undefined;
    if (method !== 'POST') response.writeHead(405).end();
    else if (answer === undefined) response.writeHead(202).end();
    else if (isEvents)
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: message\ndata: ${answer}\n\n`);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });

/** A server over HTTP with SSE of 2024-11-05, whose answers have no version and ids as text. */
const listenSse = () => {
  const streams: ServerResponse[] = [];
  return listen(({ method, url }, response, body) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const session = streams.push(response) - 1;
      response.write(`event: endpoint\ndata: /messages?${session}\n\n`);
      return;
    }
    response.writeHead(202).end('Accepted');
    const answer = rawAnswer(body, false)?.replace(
      /^\{"jsonrpc":"2.0","id":(\d+),/u,
      '{"id":"$1","error":null,',
    );
    if (answer !== undefined)
      streams[Number(url?.split('?')[1])]?.write(`event: message\ndata: ${answer}\n\n`);
  });
};

/** `gateway stdio`, whose client writes and reads raw lines. */
const startLines = () => {
  const { command, args } = stdioCommand(directory.path);
  const child = spawn(command, args, { env: SERVER_ENV, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout });
  let asked = 0;
  /** Sends a request, and returns the message that answers it. */
  const ask = async (method: string, params: string): Promise<string> => {
    asked += 1;
    const start = `{"jsonrpc":"2.0","id":${asked}`;
    child.stdin.write(`${start},"method":"${method}","params":${params}}\n`);
    for (;;) {
      const [line] = (await once(answers, 'line')) as [string];
      if (line.startsWith(`${start},`)) return line;
    }
  };
  atEnd(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  return { ask };
};

type RunningLines = ReturnType<typeof startLines>;

const SERVERS = ['old', 'new', 'oldevents', 'newevents', 'oldstdio', 'newstdio', 'oldsse'];
let gateway: RunningGateway;
/** The connections by era: the first message of a connection decides it. */
let lines: Readonly<Record<'legacy' | 'modern', RunningLines>>;

setUp(async () => {
  const stdio = { type: 'stdio', command: process.execPath, autoStart: true };
  for (const name of SERVERS) {
    const isModern = name.startsWith('new');
    const isSse = name.endsWith('sse');
    if (name.endsWith('stdio'))
      directory.server(name, { ...stdio, args: [FIXTURE, isModern ? 'modern' : 'legacy'] });
    else {
      const url = await (isSse ? listenSse() : listenHttp(isModern, name.endsWith('events')));
      directory.server(name, { type: isSse ? 'sse' : 'streamable-http', url, autoStart: true });
    }
  }
  const family = { name: 'fam', instanceArg: 'cluster' };
  directory.server('member', { ...stdio, args: [FIXTURE, 'legacy'], family });
  // A request can choose the meta-tools of a gateway in native mode, and not the reverse.
  gateway = await startGateway(directory.path, { args: ['--expose', 'native'] });
  lines = { legacy: startLines(), modern: startLines() };
  await Promise.all([
    untilListed(lines.legacy, '{}'),
    untilListed(lines.modern, `{${MODERN_META}}`),
  ]);
});

const MODERN_META =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}';

/** Waits until a gateway over stdio lists a tool of each server. */
const untilListed = (client: RunningLines, metaText: string): Promise<void> =>
  retryAssertion(async () => {
    const params = `{"name":"list_tools","arguments":{},"_meta":${metaText}}`;
    const listed = await client.ask('tools/call', params);
    expect(SERVERS.filter((name) => !listed.includes(`${name}_echo`))).toEqual([]);
  });

/** Posts raw parameters. Returns the raw message of the answer. */
const post = async (
  method: string,
  params: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const answer = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-gateway-expose': 'meta',
      ...headers,
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
  });
  const body = await answer.text();
  return /^data: (\{.*)$/mu.exec(body)?.[1] ?? body;
};

/** The clients of each exposure; over stdio, the option `--expose` is the same for all requests. */
const CLIENTS = {
  meta: ['legacy', 'session', 'modern', 'legacy stdio', 'modern stdio'],
  native: ['legacy', 'session', 'modern'],
} as const;

type Exposure = keyof typeof CLIENTS;

const call = async (
  client: (typeof CLIENTS)[Exposure][number],
  exposure: Exposure,
  name: string,
  args: string,
): Promise<string> => {
  const isModern = client.startsWith('modern');
  const metaText = isModern ? `{${MODERN_META},"own":${RAW}}` : `{"own":${RAW}}`;
  const named = exposure === 'meta' ? `{"name":"${name}","arguments":${args}}` : args;
  const tool = exposure === 'meta' ? 'call_tool' : name;
  const headers: Readonly<Record<string, string>> = isModern
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }
    : client === 'session'
      ? await startSession(gateway.url)
      : {};
  const params = `{"name":"${tool}","arguments":${named},"_meta":${metaText}}`;
  if (client.endsWith('stdio'))
    return lines[isModern ? 'modern' : 'legacy'].ask('tools/call', params);
  return post('tools/call', params, { ...headers, 'x-gateway-expose': exposure });
};

/** The first text of the result in an answer. */
const textOf = (answer: string): string =>
  (JSON.parse(answer) as { result: { content: readonly [{ readonly text: string }] } }).result
    .content[0].text;

/** The name of a tool, which in native mode may be that of its server alone. */
const nameAt = async (exposure: Exposure, server: string, tool: string): Promise<string> => {
  if (exposure === 'meta') return `x_${server}_${tool}`;
  const answer = await post('tools/list', '{}', { 'x-gateway-expose': 'native' });
  const names = [...answer.matchAll(/"name":"([^"]+)"/gu)].map(([, name = '']) => name);
  const found = names.find((name) => name.endsWith(`${server}_${tool}`));
  if (found === undefined) throw new Error(`no tool ${tool} of ${server} in ${names.join(' ')}`);
  return found;
};

describe.each(['meta', 'native'] as const)('with the exposure %s', (exposure) => {
  describe.each(CLIENTS[exposure])('for a %s client', (client) => {
    it.each(SERVERS)(
      'forwards the bytes of arguments, results and _meta of the server "%s"',
      async (server) => {
        const answer = await call(client, exposure, await nameAt(exposure, server, 'echo'), RAW);
        expect(answer).toContain(`"structuredContent":${RAW},"z":1.10`);
        // The `_meta` of the server, to which the gateway adds members.
        expect(answer).toContain(`"_meta":${RAW.slice(0, -1)}`);
        const received = textOf(answer);
        expect(received).toContain(`"arguments":${RAW}`);
        expect(received).toContain(`"own":${RAW}`);
      },
    );
  });

  it.each(['old', 'newevents', 'oldstdio'])(
    'refuses a result with too much _meta of "%s" by name',
    async (server) => {
      const answer = await call('legacy', exposure, await nameAt(exposure, server, 'meta'), '{}');
      expect(answer).toContain(
        `server ${server} sent an invalid response: its _meta has 1001 members, more than the 1000 allowed`,
      );
    },
  );

  it('never writes what a result injects behind its end', async () => {
    const answer = await call('legacy', exposure, await nameAt(exposure, 'old', 'broken'), '{}');
    const { id, result } = JSON.parse(answer) as { id: number; result?: { content?: unknown } };
    expect(id).toBe(1);
    expect(result?.content ?? []).not.toEqual([]);
  });
});

it('removes the instance argument of a family from the text of the arguments', async () => {
  const args = `{"cluster":"member",${RAW.slice(1)}`;
  const answer = await call('legacy', 'meta', 'x_fam_echo', args);
  expect(JSON.parse(answer)).toMatchObject({ id: 1 });
  expect(textOf(answer)).toContain(`"arguments":${RAW}`);
});

it.each([
  ['get_prompt', '{"name":"x_old_p"}'],
  ['get_resource', '{"uri":"raw://r","server":"old"}'],
])('answers %s with the bytes of the server as text', async (name, args) => {
  const answer = await post('tools/call', `{"name":"${name}","arguments":${args}}`);
  expect(textOf(answer)).toContain(RAW);
});
