import { retryAssertion } from '@gateway/repo-checks';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolAnswer } from './harness/clients.ts';
import { REPOSITORY } from './harness/example-copy.ts';
import { findFreePort } from '@gateway/test-peers';
import { APP, SERVER_ENV, startGateway, type RunningGateway } from './harness/gateway.ts';
import { atEnd, setUp, testDirectory } from './harness/lifetime.ts';
import { startNode, type RunningProcess } from './harness/process.ts';

const EVERYTHING = resolve(
  APP,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const FIXTURE = resolve(REPOSITORY, 'packages/interop/fixtures/serve.mjs');
const NO_ROOTS = 'Failed to request roots from client';

const directory = testDirectory();
let everythingHttp: RunningProcess;
let gateway: RunningGateway;

const startServers = async (): Promise<void> => {
  const port = await findFreePort();
  const env = { ...SERVER_ENV, PORT: String(port) };
  everythingHttp = startNode([EVERYTHING, 'streamableHttp'], { env });
  atEnd(() => everythingHttp.stop('SIGKILL'));
  const fixture2025 = fork(FIXTURE, ['2025'], { silent: true });
  atEnd(() => fixture2025.kill('SIGKILL'));
  const ready = once(fixture2025, 'message') as Promise<[{ listening: string }]>;
  await everythingHttp.line((line) => line.includes(String(port)));
  const [{ listening }] = await ready;
  const stdio = (...args: string[]) => ({ type: 'stdio', command: process.execPath, args });
  const http = (url: string) => ({ type: 'streamable-http', url });
  const servers = {
    local: stdio(EVERYTHING, 'stdio'),
    remote: http(`http://127.0.0.1:${String(port)}/mcp`),
    later: stdio(FIXTURE, 'stdio'),
    earlier: http(listening),
  };
  for (const [name, spec] of Object.entries(servers))
    directory.server(name, { ...spec, autoStart: true });
  const asks = (id: string) => ({
    id,
    tool: `x_${id}_test_elicitation`,
    args: { message: 'Who?' },
  });
  directory.workflow('asking', {
    steps: [asks('earlier'), asks('later')],
    output: { earlier: '{{ .results.earlier }}', later: '{{ .results.later }}' },
  });
};

setUp(async () => {
  await startServers();
  gateway = await startGateway(directory.path, { args: ['--log-level', 'debug'] });
  // A moment after its start the test server asks for roots, for no call: no client may be asked, and no test may be affected.
  await gateway.line((line) => line.includes('"server":"local"') && line.includes(NO_ROOTS));
  await everythingHttp.line((line) => line.includes(NO_ROOTS));
});

/** A client that answers with its name and records the questions and notifications that it receives. */
interface User {
  readonly asked: string[];
  readonly logs: string[];
  /** Calls a tool of the catalog through `call_tool`. */
  readonly call: (
    tool: string,
    args?: Record<string, unknown>,
    meta?: object,
  ) => Promise<ToolAnswer>;
}

type Capabilities = { [C in 'sampling' | 'elicitation' | 'roots']?: Record<string, never> };

interface Traits {
  readonly capabilities?: Capabilities;
  /** The answers to forms wait for it. */
  readonly hesitation?: Promise<void>;
  /** Makes the requests. */
  readonly fetch?: typeof fetch;
}

const ALL: Capabilities = { sampling: {}, elicitation: {}, roots: {} };
/** The text of a result that is no error. */
const resultText = async (answer: Promise<ToolAnswer>): Promise<string> => {
  const { content, isError } = await answer;
  const text = content.map((item) => item.text).join('\n');
  if (isError === true) throw new Error(text);
  return text;
};

/** The text of an error result. */
const refused = async (answer: Promise<ToolAnswer>): Promise<string> => {
  const { content, isError } = await answer;
  expect(isError).toBe(true);
  return content.map((item) => item.text).join('\n');
};

const mcp = (): URL => new URL('/mcp', gateway.url);
const callParams = (name: string, args: Record<string, unknown> = {}, meta?: object) => ({
  name: 'call_tool',
  arguments: { name, arguments: args },
  ...(meta && { _meta: { ...meta } }),
});

type Connect = (name: string, traits?: Traits) => Promise<User>;

const users: FirstClient[] = [];

afterEach(async () => {
  await Promise.all(users.splice(0).map((client) => client.close()));
});

/** Connects with the SDK of the first generation, or with that of the second one in a mode. */
const connecting =
  (mode?: 'legacy' | { readonly pin: string }): Connect =>
  async (name, { capabilities = ALL, hesitation, fetch } = {}) => {
    const info = { name, version: '1.0.0' };
    const client =
      mode === undefined
        ? new FirstClient(info, { capabilities })
        : (new SecondClient(info, {
            capabilities,
            versionNegotiation: { mode },
          }) as unknown as FirstClient);
    const [asked, logs]: [string[], string[]] = [[], []];
    const handle = (method: string, schema: unknown, answer: () => unknown): void => {
      const set = client.setRequestHandler.bind(client) as (...given: unknown[]) => void;
      set(mode === undefined ? schema : method, answer);
    };
    if (capabilities.sampling)
      handle('sampling/createMessage', CreateMessageRequestSchema, () => {
        asked.push('sampling');
        const content = { type: 'text', text: `a poem by ${name}` };
        return { role: 'assistant', content, model: 'none' };
      });
    if (capabilities.elicitation)
      handle('elicitation/create', ElicitRequestSchema, async () => {
        asked.push('elicitation');
        await hesitation;
        return { action: 'accept', content: { name, response: `I am ${name}`, ok: true } };
      });
    if (capabilities.roots)
      handle('roots/list', ListRootsRequestSchema, () => {
        asked.push('roots');
        return { roots: [{ uri: `file:///home/${name}`, name }] };
      });
    client.fallbackNotificationHandler = ({ method, params }) => {
      if (method === 'notifications/message')
        logs.push(`${String(params?.['level'])}: ${String(params?.['data'])}`);
      return Promise.resolve();
    };
    const Transport = mode === undefined ? FirstHttp : SecondHttp;
    await client.connect(new Transport(mcp(), { ...(fetch && { fetch }) }));
    users.push(client);
    const call: User['call'] = async (tool, args, meta) =>
      (await client.callTool(callParams(tool, args, meta))) as unknown as ToolAnswer;
    return { asked, logs, call };
  };

const modern = connecting({ pin: '2026-07-28' });
const CLIENTS = {
  'generation 1, 2025 era': connecting(),
  'generation 2, 2025 era': connecting('legacy'),
  'generation 2, 2026-07-28': modern,
};

const SAMPLE = { prompt: 'a poem' };
const WHO = { message: 'Who?' };
const EVERYTHINGS = { stdio: 'local', 'Streamable HTTP': 'remote' };
/** The fixture that asks by requests (2025), and the one that asks by `input_required` results (2026-07-28). */
const FIXTURES = { '2025 over Streamable HTTP': 'earlier', '2026-07-28 over stdio': 'later' };

const undeclared = (capability: string) =>
  `the client of the call does not declare the capability ${capability}`;

describe.each(Object.entries(CLIENTS))('through call_tool, %s', (_title, connect) => {
  it.each(Object.entries(EVERYTHINGS))(
    'answers the questions of server-everything over %s, and the result contains the answer',
    async (_way, server) => {
      const ada = await connect('Ada');
      const tool = `x_${server}_trigger-`;
      expect(await resultText(ada.call(`${tool}sampling-request`, SAMPLE))).toContain(
        'a poem by Ada',
      );
      expect(await resultText(ada.call(`${tool}elicitation-request`))).toContain('- Name: Ada');
      expect(ada.asked).toEqual(['sampling', 'elicitation']);
    },
  );

  it.each(Object.entries(FIXTURES))(
    'answers the questions of a server of %s, one by one and all at once',
    async (_way, server) => {
      const ada = await connect('Ada');
      const tool = `x_${server}_test_`;
      expect(await resultText(ada.call(`${tool}sampling`, SAMPLE))).toBe(
        'LLM response: a poem by Ada',
      );
      expect(await resultText(ada.call(`${tool}elicitation`, WHO))).toContain('"I am Ada"');
      const listRoots = `${tool}input_required_result_list_roots`;
      expect(await resultText(ada.call(listRoots))).toBe('file:///home/Ada');
      expect(ada.asked).toEqual(['sampling', 'elicitation', 'roots']);
      const everything = `${tool}input_required_result_multiple_inputs`;
      expect(await resultText(ada.call(everything))).toBe('Got all three answers.');
      expect(ada.asked.slice(3).sort()).toEqual(['elicitation', 'roots', 'sampling']);
    },
  );

  it('answers the questions of workflow steps, and each step runs once', async () => {
    const ada = await connect('Ada');
    const document = await resultText(ada.call('workflow_asking'));
    expect(JSON.parse(document)).toMatchObject({
      earlier: expect.stringContaining('"I am Ada"') as string,
      later: expect.stringContaining('"I am Ada"') as string,
    });
    expect(ada.asked).toEqual(['elicitation', 'elicitation']);
  });

  it.each(Object.entries(EVERYTHINGS))(
    'without the capabilities gets the error of server-everything over %s, and no other client is asked',
    async (_way, server) => {
      const ada = await connect('Ada');
      const bob = await connect('Bob', { capabilities: {} });
      const tool = `x_${server}_trigger-`;
      expect(await refused(bob.call(`${tool}sampling-request`, SAMPLE))).toBe(
        `MCP error -32601: ${undeclared('sampling')}`,
      );
      expect(await refused(bob.call(`${tool}elicitation-request`))).toBe(
        `MCP error -32601: ${undeclared('elicitation')}`,
      );
      expect([bob.asked, ada.asked]).toEqual([[], []]);
    },
  );
});

/** A promise that the test resolves. */
const closedGate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((wake) => {
    open = wake;
  });
  return { opened, open };
};

describe('of concurrent clients', () => {
  it.each([
    ['server-everything over Streamable HTTP', 'x_remote_trigger-elicitation-request'],
    ['a server of 2025 over Streamable HTTP', 'x_earlier_test_elicitation'],
    ['a server of 2026-07-28 over stdio', 'x_later_test_elicitation'],
  ])('each gets its own question of %s', async (_server, tool) => {
    const { opened, open } = closedGate();
    const able = await Promise.all(
      Object.values(CLIENTS).map((connect, index) =>
        connect(`Ada-${String(index)}`, { hesitation: opened }),
      ),
    );
    const unable = await connecting()('Bob', { capabilities: {} });
    const answers = Promise.all(able.map((user) => resultText(user.call(tool, WHO))));
    await retryAssertion(() => {
      expect(able.map(({ asked }) => asked)).toEqual(able.map(() => ['elicitation']));
    });
    expect(await refused(unable.call(tool, WHO))).toContain('capabilit');
    open();
    const texts = await answers;
    const named = texts.map((text) => [...new Set(text.match(/Ada-\d|Bob/gu))]);
    expect(named).toEqual([['Ada-0'], ['Ada-1'], ['Ada-2']]);
    expect(able.map(({ asked }) => asked)).toEqual(able.map(() => ['elicitation']));
    expect(unable.asked).toEqual([]);
  });
});

const LOGGED = [
  'info: Tool execution started',
  'info: Tool processing data',
  'info: Tool execution completed',
];

describe('a client of 2026-07-28', () => {
  interface Message {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly result?: Readonly<Record<string, unknown>>;
  }

  /** A client that records its requests and answers as sent. */
  const watched = async () => {
    const requests: Message[] = [];
    const answers: Message[] = [];
    const watching: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const text = await response.text();
      const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
      requests.push(JSON.parse(await new Request(input, init).text()) as Message);
      answers.push(JSON.parse(data?.slice('data: '.length) ?? text) as Message);
      return new Response(text, response);
    };
    const ada = await modern('Ada', { fetch: watching });
    requests.length = 0;
    answers.length = 0;
    return { ada, requests, answers };
  };

  it.each([
    ['2025 over stdio', 'x_local_trigger-elicitation-request', '- Name: Ada'],
    ['2025 over Streamable HTTP', 'x_earlier_test_input_required_result_request_state', 'state-ok'],
    ['2026-07-28', 'x_later_test_input_required_result_request_state', 'state-ok'],
  ])(
    'gets the question of a server of %s as input_required, and the result for its retry',
    async (_server, tool, result) => {
      const { ada, requests, answers } = await watched();
      expect(await resultText(ada.call(tool))).toContain(result);
      expect(answers).toMatchObject([
        { result: { resultType: 'input_required', requestState: expect.any(String) as string } },
        { result: { resultType: 'complete' } },
      ]);
      const asked = answers[0]?.result?.['inputRequests'] as Record<string, unknown>;
      expect(Object.values(asked)).toMatchObject([{ method: 'elicitation/create' }]);
      expect(requests).toHaveLength(2);
      expect(requests[0]?.params).not.toHaveProperty('inputResponses');
      expect(requests[1]?.params).toMatchObject({
        ...callParams(tool),
        requestState: answers[0]?.result?.['requestState'],
        inputResponses: { [String(Object.keys(asked)[0])]: { action: 'accept' } },
      });
    },
  );

  it.each(Object.entries(FIXTURES))(
    'gets log messages of a server of %s with the calls that ask for them',
    async (_server, server) => {
      const ada = await modern('Ada');
      const tool = `x_${server}_test_tool_with_logging`;
      await ada.call(tool);
      expect(ada.logs).toEqual([]);
      await ada.call(tool, {}, { 'io.modelcontextprotocol/logLevel': 'info' });
      await retryAssertion(() => {
        expect(ada.logs).toEqual(LOGGED);
      });
    },
  );
});
