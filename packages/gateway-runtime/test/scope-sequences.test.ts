import { buildCatalog } from '@gateway/catalog';
import { createMcpHttp, type HttpServing, type Peers, serveHttp } from '@gateway/mcp-http';
import { createMetaTools, type MetaToolPorts } from '@gateway/meta-tools';
import { parsePresets } from '@gateway/preset-resolver';
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetaToolService } from '../src/calls/gateway-service.ts';

const TOOLS = ['x_one_ask', 'x_one_wait', 'x_two_ask', 'x_two_wait'] as const;
type Tool = (typeof TOOLS)[number];

const MALFORMED =
  'toolset [files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>';

/** Headers: the tools that each one selects, or the refusal of the toolset. */
const HEADERS: readonly {
  readonly value?: string;
  readonly tools: readonly Tool[];
  readonly refusal?: string;
}[] = [
  { tools: TOOLS },
  { value: 'server:one', tools: ['x_one_ask', 'x_one_wait'] },
  { value: 'server:two', tools: ['x_two_ask', 'x_two_wait'] },
  { value: 'tool:x_one_ask,tool:x_two_wait', tools: ['x_one_ask', 'x_two_wait'] },
  { value: 'preset:none', tools: [] },
  { value: 'files', tools: [], refusal: MALFORMED },
];
type Header = (typeof HEADERS)[number];

const presets = (() => {
  const parsed = parsePresets({}, { gatewayVersion: '5.13.0' });
  if (!parsed.ok) throw new Error('the presets of this test are refused');
  return parsed.value;
})();

const snapshot = buildCatalog({
  servers: ['one', 'two'].map((name) => ({
    name,
    labels: {},
    tools: ['ask', 'wait'].map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  })),
  workflows: [],
  coreTools: [],
});

/** Calls of `wait` that wait for the test, by the `key` of their arguments. */
const waiting = new Map<unknown, () => void>();

const textResult = (text: string) => ({
  ok: true as const,
  result: { content: [{ type: 'text', text }] },
});

const never = (): never => {
  throw new Error('no call of this test reaches this port');
};

const ports: MetaToolPorts = {
  snapshot: () => snapshot,
  presets: () => presets,
  serversRequiringAuth: () => [],
  serversWithoutTokens: () => [],
  lastKnownTools: () => undefined,
  withheldTools: () => undefined,
  limitResult: (result) => result,
  readKeptResult: () => Promise.resolve(undefined),
  gatewayResources: () => [],
  readGatewayResource: () => Promise.resolve([]),
  signInLink: () => Promise.resolve(undefined),
  checksArguments: () => false,
  callServerTool: async ({ server, tool, arguments: args }, context) => {
    if (tool === 'ask') {
      const answer = await context.caller?.ask({ method: 'elicitation/create', params: {} });
      return textResult(`${server} ${String(answer?.ok)}`);
    }
    context.onProgress?.({ progress: 1 });
    await new Promise<void>((resolve) => waiting.set(args['key'], resolve));
    return textResult(`${server} waited`);
  },
  callCoreTool: never,
  callWorkflow: never,
  readResource: never,
  getPrompt: never,
  onCallRefused: () => undefined,
  onToolsetRefusal: () => undefined,
  warn: () => undefined,
};

const servings: HttpServing[] = [];
beforeAll(async () => {
  const bus = new EventEmitter();
  const features = () => ({ completions: false, resourceSubscriptions: false, logging: false });
  for (const id of ['first', 'second']) {
    const peers: Peers = {
      id,
      send: (message) => void setImmediate(() => bus.emit('message', id, message)),
      onMessage: (handler) => {
        const listener = (from: string, message: unknown): void =>
          from === id ? undefined : handler(message);
        bus.on('message', listener);
        return () => void bus.off('message', listener);
      },
    };
    const metaTools = createMetaTools(ports, { apiGroup: 'gateway.internal', pageSize: 100 });
    const service = createMetaToolService({ metaTools, features });
    const limits = { maxSuspendedCalls: 10_000 };
    const mcp = createMcpHttp(service, { sessionKey: Buffer.alloc(32, 7), peers, limits });
    servings.push(await serveHttp({ host: '127.0.0.1', port: 0, mcp }));
  }
});
afterAll(async () => {
  await Promise.all(servings.map((serving) => serving.drain(0)));
});

/** Where a request goes: under a header, at a process. */
interface Sent {
  readonly header: Header;
  readonly at: number;
}

type Headers = Readonly<Record<string, string>>;

const request = ({ header, at }: Sent, headers: Headers, body?: object, signal?: AbortSignal) =>
  fetch(`${servings[at]?.url ?? ''}/mcp`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(header.value !== undefined && { 'x-gateway-toolset': header.value }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }),
    ...(signal !== undefined && { signal }),
  });

interface Result {
  readonly content?: readonly { readonly text: string }[];
  readonly requestState?: string;
}

/** The text of an answer, and the state of a suspended call. */
const readAnswer = async (answer: Response) => {
  const text = await answer.text();
  const json = text.startsWith('{') ? text : (text.split('data: ').at(-1) ?? '');
  const { result, error } = JSON.parse(json) as { result?: Result; error?: { message: string } };
  const read = result?.content?.[0]?.text ?? error?.message ?? '';
  return { text: read, requestState: result?.requestState };
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const MODERN = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'call_tool',
};

const callTool = (name: Tool, args: object, more: object = {}) => ({
  method: 'tools/call',
  params: { name: 'call_tool', arguments: { name, arguments: args }, ...more },
});

const callModern = async (sent: Sent, name: Tool, args: object, more: object = {}) =>
  readAnswer(await request(sent, MODERN, callTool(name, args, { _meta: META, ...more })));

/** The text that refuses a tool under a header; `undefined`: the header selects the tool. */
const refusalOf = ({ value = '', tools, refusal }: Header, tool: Tool): string | undefined =>
  refusal ??
  (tools.includes(tool) ? undefined : `tool "${tool}" is outside the toolset [${value}]`);

const KINDS = ['list', 'ask', 'retry', 'lose', 'resume'] as const;

/** One request of a sequence. */
interface Step extends Sent {
  readonly kind: (typeof KINDS)[number];
  readonly tool: Tool;
  /** The number of the call that the request continues. */
  readonly index: number;
  /** A retry has other arguments than its call. */
  readonly isChanged: boolean;
}

/** The calls that the requests of one sequence may continue. */
interface Model {
  readonly suspended: { readonly tool: Tool; readonly requestState: string }[];
  readonly lost: { readonly tool: Tool; readonly key: number; readonly headers: Headers }[];
}

let keys = 0;

const startSession = async (sent: Sent): Promise<Headers> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  const answer = await request(sent, {}, { method: 'initialize', params });
  await answer.text();
  const id = answer.headers.get('mcp-session-id') ?? '';
  return { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
};

/** Reads a stream up to its first progress report, and cuts it. Returns the id of its last event. */
const cutAfterProgress = async (answer: Response, cut: AbortController): Promise<string> => {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes('notifications/progress') && text.endsWith('\n\n')) break;
  }
  cut.abort();
  return [...text.matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1] ?? '';
};

const LOST = 'Last-Event-ID names nothing that can be resumed; start again without it';

const steps: Readonly<Record<Step['kind'], (step: Step, model: Model) => Promise<void>>> = {
  list: async (sent) => {
    const body = { method: 'tools/call', params: { name: 'list_tools', arguments: {} } };
    const { text } = await readAnswer(await request(sent, {}, body));
    const { refusal, tools } = sent.header;
    if (refusal !== undefined) return expect(text).toBe(refusal);
    const listed = JSON.parse(text) as { readonly tools: readonly { readonly name: string }[] };
    return expect(listed.tools.map(({ name }) => name)).toEqual(tools);
  },
  ask: async (sent, { suspended }) => {
    const tool = sent.tool.replace('wait', 'ask') as Tool;
    const { text, requestState } = await callModern(sent, tool, {});
    const refusal = refusalOf(sent.header, tool);
    if (refusal !== undefined) return expect(text).toBe(refusal);
    if (requestState !== undefined) suspended.push({ tool, requestState });
    return expect(requestState).toMatch(/^suspended\./);
  },
  retry: async (sent, { suspended }) => {
    const at = sent.index % Math.max(1, suspended.length);
    const call = suspended[at];
    if (call === undefined) return;
    const { tool, requestState } = call;
    const retry = { requestState, inputResponses: { q1: { action: 'accept' } } };
    const { text } = await callModern(sent, tool, sent.isChanged ? { more: 1 } : {}, retry);
    const refusal = refusalOf(sent.header, tool);
    if (refusal !== undefined) return expect(text).toBe(refusal);
    if (sent.isChanged) return expect(text).toBe('The requestState belongs to another request');
    suspended.splice(at, 1);
    return expect(text).toBe(`${tool.split('_')[1] ?? ''} true`);
  },
  lose: async (sent, { lost }) => {
    const tool = sent.tool.replace('ask', 'wait') as Tool;
    const headers = await startSession(sent);
    const key = (keys += 1);
    const body = callTool(tool, { key }, { _meta: { progressToken: 'p' } });
    const cut = new AbortController();
    const answer = await request(sent, headers, body, cut.signal);
    const refusal = refusalOf(sent.header, tool);
    if (refusal !== undefined) return expect((await readAnswer(answer)).text).toBe(refusal);
    const last = await cutAfterProgress(answer, cut);
    lost.push({ tool, key, headers: { ...headers, 'last-event-id': last } });
    return expect(last).toMatch(/^(first|second)\.post1\.\d+$/);
  },
  resume: async (sent, { lost }) => {
    const at = sent.index % Math.max(1, lost.length);
    const call = lost[at];
    if (call === undefined) return;
    const answer = await request(sent, call.headers);
    if (refusalOf(sent.header, call.tool) !== undefined) {
      const refusal = sent.header.refusal ?? LOST;
      expect([answer.status, (await readAnswer(answer)).text]).toEqual([400, refusal]);
      return;
    }
    lost.splice(at, 1);
    waiting.get(call.key)?.();
    const { text } = await readAnswer(answer);
    expect(text).toBe(`${call.tool.split('_')[1] ?? ''} waited`);
  },
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  header: fc.constantFrom(...HEADERS),
  at: fc.constantFrom(0, 1),
  tool: fc.constantFrom(...TOOLS),
  index: fc.nat({ max: 5 }),
  isChanged: fc.boolean(),
});

it('the toolset of a request decides alone, over sequences of new, retried and resumed requests of both eras at two processes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (sequence) => {
      const model: Model = { suspended: [], lost: [] };
      for (const one of sequence) await steps[one.kind](one, model);
    }),
    { numRuns: 60 },
  );
});
