import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isPlainModernRequest,
  refuseModernRequest,
  type ModernRoute,
} from '../src/protocol/modern-message.ts';
import {
  createHeaderReader,
  isLegacyRevision,
  isPlainLegacyBody,
  isPlainLegacyNotification,
  KnownHeaders,
} from '../src/protocol/client-message.ts';
import { rpc, tell } from './wire-client.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const CLAIM = { [key('protocolVersion')]: '2026-07-28' };

/** A record whose members are all optional but the required ones. */
const record = <T extends object>(
  members: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  ...requiredKeys: (keyof T & string)[]
) => fc.record(members, { requiredKeys: requiredKeys as never[] });

/** Returns what the SDK makes of a body. */
const classify = (body: unknown, protocolVersionHeader: string | undefined, more: object = {}) =>
  classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...more,
  });

describe('the fast paths for 2025-era clients', () => {
  const isPlainLegacyRequest = (body: unknown, revision: string | undefined): boolean =>
    isPlainLegacyBody(body) && isLegacyRevision(revision);

  const progressToken = fc.oneof(fc.integer(), fc.string(), fc.jsonValue());
  const _meta = fc.oneof(fc.jsonValue(), fc.constant(CLAIM), fc.record({ progressToken }));
  const message = record({
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null)),
    method: fc.constantFrom<unknown>('ping', 'tools/call', 'x', '', 7),
    params: fc.oneof(fc.jsonValue(), fc.record({ _meta })),
  });
  const header = fc.constantFrom(undefined, '2025-11-25', '2026-07-28');

  it('accept only bodies that the SDK classifies as such a request or notification', () => {
    const taken = { request: 0, notification: 0 };
    fc.assert(
      fc.property(message, header, (body, revision) => {
        const legacy = { kind: 'legacy' };
        if (isPlainLegacyRequest(body, revision)) {
          taken.request += 1;
          expect(classify(body, revision)).toMatchObject({ ...legacy, reason: 'no-claim' });
        }
        if (revision !== '2026-07-28' && isPlainLegacyNotification(body)) {
          taken.notification += 1;
          expect(classify(body, revision)).toMatchObject({ ...legacy, reason: 'notification' });
        }
      }),
      { numRuns: 6_000, seed: 1 },
    );
    expect(taken.request).toBeGreaterThan(100);
    expect(taken.notification).toBeGreaterThan(100);
  });

  it('accept a plain call and reject its modern neighbour', () => {
    const call = rpc('tools/call', { name: 'x', _meta: {} });
    expect(isPlainLegacyRequest(call, undefined)).toBe(true);
    expect(isPlainLegacyRequest(call, '2026-07-28')).toBe(false);
    const modern = rpc('tools/call', { name: 'x', _meta: CLAIM });
    expect(isPlainLegacyRequest(modern, undefined)).toBe(false);
  });

  const started = tell('notifications/initialized');
  it.each([
    [started, true],
    [{ ...started, params: {} }, true],
    [{ ...started, id: 1 }, false],
    [{ ...started, id: undefined }, false],
    [{ ...started, result: {} }, false],
    [{ jsonrpc: '2.0', id: 1, result: {} }, false],
    [{ ...started, params: { _meta: CLAIM } }, false],
  ])('take %j for a notification: %s', (body, isTaken) => {
    expect(isPlainLegacyNotification(body)).toBe(isTaken);
  });
});

describe('the fast path for requests of 2026-07-28', () => {
  const odd = fc.constantFrom<unknown>({}, [], '', 'x', true, null, 7, { a: [1] }, { a: {} });
  /** Mostly absent: a member that is `undefined` is taken out. */
  const rare = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: odd },
  );
  const withoutAbsent = (of: fc.Arbitrary<object>): fc.Arbitrary<Record<string, unknown>> =>
    of.map((value) =>
      Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)),
    );
  const mostly = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const empty = mostly(fc.constant({}));
  const text = mostly(fc.string());

  const capabilities = withoutAbsent(
    record({
      sampling: mostly(record({ context: empty, tools: empty })),
      elicitation: mostly(
        record({ form: mostly(record({ applyDefaults: mostly(fc.boolean()) })), url: empty }),
      ),
      roots: mostly(record({ listChanged: mostly(fc.boolean()) })),
      experimental: rare,
      extensions: mostly(fc.dictionary(fc.string(), mostly(fc.dictionary(fc.string(), odd)))),
      tasks: rare,
    }),
  );
  const websiteUrl = mostly(fc.constantFrom('https://a.example', 'no url'));
  const shown = { title: text, description: text, websiteUrl, icons: rare, other: odd };
  const client = withoutAbsent(record({ name: text, version: text, ...shown }, 'name', 'version'));
  const revision = key('protocolVersion');
  const meta = withoutAbsent(
    record(
      {
        [revision]: mostly(fc.constantFrom('2026-07-28', '2026-07-28', '2025-11-25')),
        [key('clientCapabilities')]: mostly(capabilities),
        [key('clientInfo')]: mostly(client),
        [key('logLevel')]: mostly(fc.constantFrom('info', 'emergency', 'loud')),
        [key('related-task')]: rare,
        progressToken: mostly(fc.constantFrom<unknown>('t', 0, 1.5)),
        traceparent: odd,
      },
      revision,
      key('clientCapabilities'),
    ),
  );
  const methods = ['tools/call', 'tools/call', 'resources/read', 'tools/list', 'initialize', 'x'];
  const echo = mostly(fc.constant('echo'));
  const body = withoutAbsent(
    record(
      {
        jsonrpc: mostly(fc.constant('2.0')),
        id: mostly(fc.constantFrom<unknown>(1, 'a', 0)),
        method: mostly(fc.constantFrom(...methods)),
        params: mostly(record({ name: echo, uri: echo, _meta: mostly(meta) }, '_meta')),
        result: rare,
        error: rare,
        extra: rare,
      },
      'jsonrpc',
      'id',
      'method',
      'params',
    ),
  );

  const lines = (name: string, first: string, second: string, ...others: string[]) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant([name, first]) },
      { weight: 1, arbitrary: fc.constantFrom(second, ...others).map((value) => [name, value]) },
      { weight: 1, arbitrary: fc.constantFrom([], [name, first, name, second]) },
    );

  it('accepts only bodies that the SDK and the header validation accept, as the same request', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        body,
        lines('MCP-Protocol-Version', '2026-07-28', '2025-11-25', ' 2026-07-28'),
        lines('mcp-name', 'echo', '=?base64?ZWNobw==?=', '', 'other'),
        fc.constantFrom(undefined, undefined, 'tools/call', 'resources/read', 'tools/list'),
        (message, version, name, other) => {
          const named = other ?? String(message['method']);
          const rawHeaders = [...version, 'Mcp-Method', named, ...name];
          if (!isPlainModernRequest(message, new KnownHeaders({ rawHeaders }))) return;
          taken += 1;
          const header = createHeaderReader({ rawHeaders });
          const read = (known: string): string => header(known)?.join(', ') ?? '';
          const route = classify(message, read('mcp-protocol-version'), {
            mcpMethodHeader: read('mcp-method'),
            ...(name.length > 0 && { mcpNameHeader: read('mcp-name') }),
          });
          expect(route).toMatchObject({ kind: 'modern', messageKind: 'request', message });
          expect(refuseModernRequest(route as ModernRoute, header)).toBeUndefined();
        },
      ),
      { numRuns: 8_000, seed: 1 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  it('accepts a plain call and rejects its neighbours', () => {
    const _meta = { ...CLAIM, [key('clientCapabilities')]: {} };
    const call = rpc('tools/call', { name: 'echo', _meta });
    const headers = { protocolVersion: '2026-07-28', mcpMethod: 'tools/call', mcpName: 'echo' };
    expect(isPlainModernRequest(call, headers)).toBe(true);
    expect(isPlainModernRequest({ ...call, id: 1.5 }, headers)).toBe(false);
    expect(isPlainModernRequest({ ...call, params: { name: 'echo' } }, headers)).toBe(false);
    for (const name of ['protocolVersion', 'mcpMethod', 'mcpName'] as const)
      for (const value of [undefined, 'other', [headers[name]]])
        expect(isPlainModernRequest(call, { ...headers, [name]: value })).toBe(false);
  });
});
