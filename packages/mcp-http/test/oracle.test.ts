import { createMcpHandler } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProtocolServer } from './protocol-server.ts';
import { serveEndpoint, type ServedEndpoint } from './endpoint.ts';
import { sampleService } from './sample-service.ts';
import { BOTH, ENVELOPE, eventsOf, rpc, type Answer } from './wire-client.ts';
import { wideService } from './wide-service.ts';

interface Verdict {
  readonly status: number;
  readonly code: unknown;
  readonly result: unknown;
}

const toVerdict = ({ status, text }: Pick<Answer, 'status' | 'text'>): Verdict => {
  const message = (text.startsWith('{') ? JSON.parse(text) : eventsOf(text)[0]) as
    { error?: { code: unknown }; result?: unknown } | undefined;
  return { status, code: message?.error?.code, result: message?.result };
};

/** Serves a service by this package and by the SDK's own entry: what that answers, this package answers. */
const serveBoth = (createService: () => Parameters<typeof serveEndpoint>[0]) => {
  let endpoint: ServedEndpoint;
  beforeAll(async () => {
    endpoint = await serveEndpoint(createService());
  });
  afterAll(() => endpoint.drain(0));
  const handler = createMcpHandler(() => createProtocolServer(createService()));
  return async (value: object, mirrored: Readonly<Record<string, string>> = {}) => {
    const body = JSON.stringify(value);
    const headers = { 'content-type': 'application/json', accept: BOTH, ...mirrored };
    const request = new Request('http://localhost/mcp', { method: 'POST', body, headers });
    const answer = await handler.fetch(request);
    const stock = toVerdict({ status: answer.status, text: await answer.text() });
    return { ours: toVerdict(await endpoint.send({ body, headers: mirrored })), stock };
  };
};

/** The stock entry cannot know that its handler for everything knows no such method; the wire suite pins our 404. */
const comparable = (verdict: Verdict): Verdict =>
  verdict.code === -32601 ? { ...verdict, status: 0 } : verdict;

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const meta = fc.constantFrom(
  undefined,
  {},
  ENVELOPE,
  { ...ENVELOPE, progressToken: 'p' },
  { ...ENVELOPE, traceparent: '00' },
  { ...ENVELOPE, [key('clientInfo')]: { name: 'c', version: '1' } },
  { ...ENVELOPE, [key('clientInfo')]: 7 },
  { ...ENVELOPE, [key('protocolVersion')]: '2025-11-25' },
  { ...ENVELOPE, [key('protocolVersion')]: '2031-01-01' },
  { ...ENVELOPE, [key('protocolVersion')]: 5 },
  { [key('protocolVersion')]: '2026-07-28' },
  { [key('clientCapabilities')]: {} },
  { progressToken: {} },
);
const METHODS = [
  'tools/list',
  'tools/call',
  'ping',
  'server/discover',
  'resources/list',
  'notifications/initialized',
  7,
];
const requestBody = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2),
    id: fc.constantFrom<unknown>(0, 1, 'a', '', null, 1.5, undefined, undefined),
    method: fc.constantFrom<unknown>('tools/call', ...METHODS),
    params: fc.oneof(
      fc.record(
        {
          name: fc.constantFrom<unknown>('echo', 'headers', 'Échec', 'nobody', 7),
          arguments: fc.constantFrom<unknown>({}, { a: 1 }, undefined),
          _meta: meta,
        },
        { requiredKeys: ['_meta'] },
      ),
      fc.constantFrom<unknown>(undefined, {}, [], 'x'),
    ),
  },
  { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
);

/** The headers that a client of 2026-07-28 sends with a body. */
const agreeing = ({ method, params }: { readonly method: unknown; readonly params: unknown }) => {
  const name = (params as { name?: unknown } | undefined)?.name;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': String(method),
    ...(typeof name === 'string' && { 'mcp-name': `=?base64?${btoa8(name)}?=` }),
  };
};

const btoa8 = (text: string): string => Buffer.from(text).toString('base64');

const REVISIONS = ['2026-07-28', '2026-07-28', '2025-11-25', '2.0', '2031'];
const NAMES = ['echo', '=?base64?ZWNobw==?=', '=?base64?ZW?=', 'headers', ''];
const requestHeaders = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom(...REVISIONS),
    'mcp-method': fc.constantFrom('tools/call', 'tools/call', 'tools/list', 'server/discover'),
    'mcp-name': fc.constantFrom(...NAMES),
  },
  { requiredKeys: [] },
);

describe('the endpoint and the entry of the SDK', () => {
  const ask = serveBoth(() => sampleService().service);

  it('answer the same requests with the same status, code and result', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(requestBody, requestHeaders, fc.boolean(), async (value, any, agrees) => {
        const mirrored = agrees ? agreeing(value) : any;
        const { ours, stock } = await ask(value, mirrored);
        expect(comparable(ours)).toEqual(comparable(stock));
        seen.add(`${ours.status} ${String(ours.code)}`);
      }),
      { numRuns: 400, seed: 1 },
    );
    const served = ['200 -32601', '200 -32602', '200 undefined', '202 undefined'];
    const refused = ['-32000', '-32020', '-32022', '-32600', '-32602'].map((code) => `400 ${code}`);
    expect([...seen].sort()).toEqual([...served, ...refused, '404 -32601']);
  });

  it('answer initialize with the same result', async () => {
    for (const protocolVersion of ['2024-11-05', '2025-11-25', '2026-07-28', 'x']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const { ours, stock } = await ask(rpc('initialize', params));
      expect(ours).toEqual(stock);
    }
  });
});

const WIDE_METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const;

const wideBody = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.constantFrom<unknown>(1, 'a'),
  method: fc.constantFrom<unknown>(...WIDE_METHODS),
  params: fc.record(
    {
      name: fc.constantFrom<unknown>('text', 'marked', 'greet', 'nobody', 7),
      uri: fc.constantFrom<unknown>('file:///a', 'file:///kept', 'file:///none', 'x\u00e9', 7),
      arguments: fc.constantFrom<unknown>({}, { who: 'x' }, []),
      ref: fc.constantFrom<unknown>({ type: 'ref/prompt', name: 'greet' }, 7),
      argument: fc.constantFrom<unknown>({ name: 'who', value: 'a' }, { name: 'who' }, 'x'),
      _meta: meta,
    },
    { requiredKeys: ['_meta', 'name', 'uri'] },
  ),
});

/** The headers that a client of 2026-07-28 sends with a body, by what each method mirrors. */
const mirrored = (value: { readonly method: unknown; readonly params: object }) => {
  const { uri } = value.params as { readonly uri?: unknown };
  const { 'mcp-name': name, ...headers } = agreeing(value);
  const mirrorsUri = value.method === 'resources/read';
  const encoded = mirrorsUri && typeof uri === 'string' ? `=?base64?${btoa8(uri)}?=` : name;
  return { ...headers, ...(encoded !== undefined && { 'mcp-name': encoded }) };
};

/** The SDK gives a missing resource its 2026-07-28 code in every revision; earlier ones have a code for it, which is passed on. */
const inNewCode = (verdict: Verdict): Verdict =>
  verdict.code === -32002 ? { ...verdict, code: -32602 } : verdict;

describe('the endpoint and the entry of the SDK, over a service with every capability', () => {
  const ask = serveBoth(wideService);

  it('answer its methods with the same status, code and result', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(wideBody, fc.boolean(), async (value, isModern) => {
        const { ours, stock } = await ask(value, isModern ? mirrored(value) : {});
        expect(inNewCode(ours)).toEqual(stock);
        if (ours.result !== undefined) seen.add(value.method as string);
      }),
      { numRuns: 400, seed: 1 },
    );
    expect([...seen].sort()).toEqual([...WIDE_METHODS].sort());
  });
});
