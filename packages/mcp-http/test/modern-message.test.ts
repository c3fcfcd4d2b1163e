import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isPlainModernRequest,
  refuseModernRequest,
  type ModernRoute,
} from '../src/protocol/modern-message.ts';
import { createHeaderReader, KnownHeaders } from '../src/protocol/client-message.ts';

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const odd = fc.constantFrom<unknown>({}, [], '', 'x', true, null, 7, { a: [1] }, { a: {} });
/** Mostly absent: a member that is `undefined` is taken out. */
const rare = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: odd },
);
const withoutAbsent = <T extends object>(of: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  of.map(
    (value) =>
      Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T,
  );
const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });

const capabilities = withoutAbsent(
  fc.record(
    {
      sampling: mostly(
        fc.record(
          { context: mostly(fc.constant({})), tools: mostly(fc.constant({})) },
          { requiredKeys: [] },
        ),
      ),
      elicitation: mostly(
        fc.record(
          {
            form: mostly(fc.record({ applyDefaults: mostly(fc.boolean()) }, { requiredKeys: [] })),
            url: mostly(fc.constant({})),
          },
          { requiredKeys: [] },
        ),
      ),
      roots: mostly(fc.record({ listChanged: mostly(fc.boolean()) }, { requiredKeys: [] })),
      experimental: rare,
      extensions: mostly(fc.dictionary(fc.string(), mostly(fc.dictionary(fc.string(), odd)))),
      tasks: rare,
    },
    { requiredKeys: [] },
  ),
);

const client = withoutAbsent(
  fc.record(
    {
      name: mostly(fc.string()),
      version: mostly(fc.string()),
      title: mostly(fc.string()),
      description: mostly(fc.string()),
      websiteUrl: mostly(fc.constantFrom('https://a.example', 'no url')),
      icons: rare,
      other: odd,
    },
    { requiredKeys: ['name', 'version'] },
  ),
);

const meta = withoutAbsent(
  fc.record(
    {
      [key('protocolVersion')]: mostly(fc.constantFrom('2026-07-28', '2026-07-28', '2025-11-25')),
      [key('clientCapabilities')]: mostly(capabilities),
      [key('clientInfo')]: mostly(client),
      [key('logLevel')]: mostly(fc.constantFrom('info', 'emergency', 'loud')),
      [key('related-task')]: rare,
      progressToken: mostly(fc.constantFrom<unknown>('t', 0, 1.5)),
      traceparent: odd,
    },
    { requiredKeys: [key('protocolVersion'), key('clientCapabilities')] },
  ),
);

const body = withoutAbsent(
  fc.record(
    {
      jsonrpc: mostly(fc.constant('2.0')),
      id: mostly(fc.constantFrom<unknown>(1, 'a', 0)),
      method: mostly(
        fc.constantFrom(
          'tools/call',
          'tools/call',
          'resources/read',
          'tools/list',
          'initialize',
          'x',
        ),
      ),
      params: mostly(
        fc.record(
          {
            name: mostly(fc.constant('echo')),
            uri: mostly(fc.constant('echo')),
            _meta: mostly(meta),
          },
          { requiredKeys: ['_meta'] },
        ),
      ),
      result: rare,
      error: rare,
      extra: rare,
    },
    { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
  ),
);

const lines = (name: string, ...values: string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant([name, values[0] ?? '']) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => [name, value]) },
    { weight: 1, arbitrary: fc.constantFrom([], [name, values[0] ?? '', name, values[1] ?? '']) },
  );

describe('the fast path for requests of 2026-07-28', () => {
  it('accepts only bodies that the SDK and the header validation accept, as the same request', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        body,
        lines('MCP-Protocol-Version', '2026-07-28', '2025-11-25', ' 2026-07-28'),
        lines('mcp-name', 'echo', '=?base64?ZWNobw==?=', '', 'other'),
        fc.constantFrom(undefined, undefined, 'tools/call', 'resources/read', 'tools/list'),
        (message, version, name, other) => {
          const named = other ?? String(message.method);
          const rawHeaders = [...version, 'Mcp-Method', named, ...name];
          if (!isPlainModernRequest(message, new KnownHeaders({ rawHeaders }))) return;
          taken += 1;
          const header = createHeaderReader({ rawHeaders });
          const first = (known: string): string | undefined => header(known)?.join(', ');
          const route = classifyInboundRequest({
            httpMethod: 'POST',
            body: message,
            protocolVersionHeader: first('mcp-protocol-version') ?? '',
            mcpMethodHeader: first('mcp-method') ?? '',
            ...(name.length > 0 && { mcpNameHeader: first('mcp-name') ?? '' }),
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
    const envelope = { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {} };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', _meta: envelope },
    };
    const headers = {
      protocolVersion: '2026-07-28',
      mcpMethod: 'tools/call',
      mcpName: 'echo',
    };
    expect(isPlainModernRequest(call, headers)).toBe(true);
    expect(isPlainModernRequest({ ...call, id: 1.5 }, headers)).toBe(false);
    expect(isPlainModernRequest({ ...call, params: { name: 'echo' } }, headers)).toBe(false);
    for (const name of ['protocolVersion', 'mcpMethod', 'mcpName'] as const) {
      expect(isPlainModernRequest(call, { ...headers, [name]: undefined })).toBe(false);
      expect(isPlainModernRequest(call, { ...headers, [name]: 'other' })).toBe(false);
      expect(isPlainModernRequest(call, { ...headers, [name]: [headers[name]] })).toBe(false);
    }
  });
});
