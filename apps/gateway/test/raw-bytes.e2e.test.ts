import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RAW, rawAnswer } from './fixtures/raw-answers.mjs';
import { SERVER_ENV, startGateway, stdioCommand, type RunningGateway } from './harness/gateway.ts';
import { startSession } from './harness/mcp-posts.ts';

const FIXTURE = fileURLToPath(new URL('./fixtures/raw-answers.mjs', import.meta.url));
const directory = createTestConfigDirectory();

/** A server over Streamable HTTP that answers with JSON or with events. */
const listen = async (isModern: boolean, isEvents: boolean) => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = request.method === 'POST' ? rawAnswer(body, isModern) : undefined;
      if (request.method !== 'POST') response.writeHead(405).end();
      else if (answer === undefined) response.writeHead(202).end();
      else if (isEvents)
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`event: message\ndata: ${answer}\n\n`);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
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
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { ask, stop };
};

type RunningLines = ReturnType<typeof startLines>;

/** A server over HTTP with SSE of 2024-11-05, whose answers have no version and ids as text. */
const listenSse = async () => {
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'GET') {
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
        streams[Number(request.url?.split('?')[1])]?.write(`event: message\ndata: ${answer}\n\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

type Listening = Awaited<ReturnType<typeof listen>>;

const SERVERS = ['old', 'new', 'oldevents', 'newevents', 'oldstdio', 'newstdio', 'oldsse'];
const http: Listening[] = [];
let gateway: RunningGateway;
/** The connections by era: the first message of a connection decides it. */
let lines: Readonly<Record<'legacy' | 'modern', RunningLines>>;

beforeAll(async () => {
  for (const name of SERVERS) {
    const isModern = name.startsWith('new');
    if (name.endsWith('stdio')) {
      const args = [FIXTURE, isModern ? 'modern' : 'legacy'];
      directory.server(name, { type: 'stdio', command: process.execPath, args, autoStart: true });
    } else {
      const isSse = name.endsWith('sse');
      const server = isSse ? await listenSse() : await listen(isModern, name.endsWith('events'));
      http.push(server);
      const { port } = server.address() as AddressInfo;
      directory.server(name, {
        type: isSse ? 'sse' : 'streamable-http',
        url: `http://127.0.0.1:${port}/mcp`,
        autoStart: true,
      });
    }
  }
  directory.server('member', {
    type: 'stdio',
    command: process.execPath,
    args: [FIXTURE, 'legacy'],
    autoStart: true,
    family: { name: 'fam', instanceArg: 'cluster' },
  });
  // A request can choose the meta-tools of a gateway in native mode, and not the reverse.
  gateway = await startGateway(directory.path, { args: ['--expose', 'native'] });
  lines = { legacy: startLines(), modern: startLines() };
  await Promise.all([
    untilListed(lines.legacy, '{}'),
    untilListed(lines.modern, `{${MODERN_META}}`),
  ]);
});

afterAll(async () => {
  await Promise.all([gateway.stop(), lines.legacy.stop(), lines.modern.stop()]);
  for (const server of http) server.close().closeAllConnections();
  directory.remove();
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
        const { result } = JSON.parse(answer) as {
          result: { content: readonly [{ readonly text: string }] };
        };
        const received = result.content[0].text;
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
  const { result } = JSON.parse(answer) as {
    result: { content: readonly [{ readonly text: string }] };
  };
  expect(result.content[0].text).toContain(`"arguments":${RAW}`);
});

it.each([
  ['get_prompt', '{"name":"x_old_p"}'],
  ['get_resource', '{"uri":"raw://r","server":"old"}'],
])('answers %s with the bytes of the server as text', async (name, args) => {
  const answer = await post('tools/call', `{"name":"${name}","arguments":${args}}`);
  const { result } = JSON.parse(answer) as {
    result: { content: readonly [{ readonly text: string }] };
  };
  expect(result.content[0].text).toContain(RAW);
});
