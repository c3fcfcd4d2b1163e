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
const startLines = (args: readonly string[]) => {
  const { command, args: all } = stdioCommand(directory.path, args);
  const child = spawn(command, all, { env: SERVER_ENV, stdio: ['pipe', 'pipe', 'ignore'] });
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

/** The connections by exposure and era: the first message of a connection decides its era. */
const linesOf = (gateway: RunningGateway, isModern: boolean): RunningLines => {
  const found = lines[(gateway === meta ? 0 : 2) + (isModern ? 1 : 0)];
  if (found === undefined) throw new Error('the connection was not started');
  return found;
};

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
let meta: RunningGateway;
let native: RunningGateway;
const lines: RunningLines[] = [];

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
  [meta, native] = await Promise.all([
    startGateway(directory.path),
    startGateway(directory.path, { args: ['--expose', 'native'] }),
  ]);
  const onlyNative = ['--expose', 'native'];
  for (const args of [[], [], onlyNative, onlyNative]) lines.push(startLines(args));
  await Promise.all(lines.map((client, index) => untilListed(client, index >= 2, index % 2 === 1)));
});

afterAll(async () => {
  await Promise.all([meta.stop(), native.stop(), ...lines.map(({ stop }) => stop())]);
  for (const server of http) server.close().closeAllConnections();
  directory.remove();
});

const MODERN_META =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}';

/** Waits until a gateway over stdio lists a tool of each server. */
const untilListed = async (
  client: RunningLines,
  isNative: boolean,
  isModern: boolean,
): Promise<void> => {
  const meta = isModern ? `"_meta":{${MODERN_META}}` : '"_meta":{}';
  const list = (): Promise<string> =>
    isNative
      ? client.ask('tools/list', `{${meta}}`)
      : client.ask('tools/call', `{"name":"list_tools","arguments":{},${meta}}`);
  await retryAssertion(async () => {
    const listed = await list();
    expect(SERVERS.filter((name) => !listed.includes(`${name}_echo`))).toEqual([]);
  });
};

/** Posts raw parameters. Returns the raw message of the answer. */
const post = async (
  gateway: RunningGateway,
  method: string,
  params: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const answer = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
  });
  const body = await answer.text();
  return /^data: (\{.*)$/mu.exec(body)?.[1] ?? body;
};

/** The arguments of one call by each kind of client. */
const CLIENTS = ['legacy', 'session', 'modern', 'legacy stdio', 'modern stdio'] as const;

const call = async (
  client: (typeof CLIENTS)[number],
  gateway: RunningGateway,
  name: string,
  args: string,
): Promise<string> => {
  const isModern = client.startsWith('modern');
  const metaText = isModern ? `{${MODERN_META},"own":${RAW}}` : `{"own":${RAW}}`;
  const named = gateway === meta ? `{"name":"${name}","arguments":${args}}` : args;
  const tool = gateway === meta ? 'call_tool' : name;
  const headers: Readonly<Record<string, string>> = isModern
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }
    : client === 'session'
      ? await startSession(gateway.url)
      : {};
  const params = `{"name":"${tool}","arguments":${named},"_meta":${metaText}}`;
  if (client.endsWith('stdio')) return linesOf(gateway, isModern).ask('tools/call', params);
  return post(gateway, 'tools/call', params, headers);
};

const exposures = [
  ['call_tool', () => meta, (server: string, tool: string) => `x_${server}_${tool}`],
  ['native tools/call', () => native, (server: string, tool: string) => `${server}_${tool}`],
] as const;

/** The names of native tools may be those of the servers alone. */
const nativeName = async (suffix: string): Promise<string> => {
  const answer = await post(native, 'tools/list', '{}');
  const names = [...answer.matchAll(/"name":"([^"]+)"/gu)].map(([, name = '']) => name);
  const found = names.find((name) => name.endsWith(suffix));
  if (found === undefined) throw new Error(`no tool ${suffix} in ${names.join(' ')}`);
  return found;
};

describe.each(exposures)('%s', (_exposure, gatewayOf, nameOf) => {
  const nameAt = (server: string, tool: string): Promise<string> =>
    gatewayOf() === meta ? Promise.resolve(nameOf(server, tool)) : nativeName(nameOf(server, tool));

  describe.each(CLIENTS)('for a %s client', (client) => {
    it.each(SERVERS)(
      'forwards the bytes of arguments, results and _meta of the server "%s"',
      async (server) => {
        const answer = await call(client, gatewayOf(), await nameAt(server, 'echo'), RAW);
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
      const answer = await call('legacy', gatewayOf(), await nameAt(server, 'meta'), '{}');
      expect(answer).toContain(
        `server ${server} sent an invalid response: its _meta has 1001 members, more than the 1000 allowed`,
      );
    },
  );

  it('never writes what a result injects behind its end', async () => {
    const answer = await call('legacy', gatewayOf(), await nameAt('old', 'broken'), '{}');
    const { id, result } = JSON.parse(answer) as { id: number; result?: { content?: unknown } };
    expect(id).toBe(1);
    expect(result?.content ?? []).not.toEqual([]);
  });
});

it('removes the instance argument of a family from the text of the arguments', async () => {
  const args = `{"cluster":"member",${RAW.slice(1)}`;
  const answer = await call('legacy', meta, 'x_fam_echo', args);
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
  const answer = await post(meta, 'tools/call', `{"name":"${name}","arguments":${args}}`);
  const { result } = JSON.parse(answer) as {
    result: { content: readonly [{ readonly text: string }] };
  };
  expect(result.content[0].text).toContain(RAW);
});
