import { formatJson, JsonScan, RawObject } from '@gateway/mcp-wire';
import { ANONYMOUS, type CallContext, type JsonObject } from '@gateway/call-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../native/native-harness.ts';
import { requirement } from '../requirement.ts';
import { failing, harnessOf, outside, resulting, under } from '../harness.ts';

const SEARCHED = ['callServerTool', { server: 'wiki', tool: 'search', arguments: {} }];
const refusal = (args: unknown, header?: string): Promise<string> =>
  under(header).refusal('call_tool', args);

requirement('4.2/call-tool-outside', () => {
  it('refuses a tool that the toolset excludes and calls nothing', async () => {
    const { refusedCall, calls } = under('server:wiki , preset:none');
    expect(await refusedCall('x_files_read_file')).toBe(
      outside('tool "x_files_read_file"', 'server:wiki,preset:none'),
    );
    expect(calls()).toEqual([]);
  });

  it.each(['x_none', '__proto__', 'constructor'])(
    'refuses the unknown name %s with the same text',
    async (name) => {
      const text = outside(`tool "${name}"`, 'preset:full');
      expect(await refusal({ name }, 'preset:full')).toBe(text);
    },
  );

  it('calls a tool inside', async () => {
    const { call, calls } = under('server:wiki');
    await call('x_wiki_search');
    expect(calls()).toEqual([SEARCHED]);
  });
});

requirement('4.2/call-tool-workflow', () => {
  it('refuses a workflow outside and runs one inside', async () => {
    const { call, refusedCall, calls } = under('workflow:report');
    const text = outside('tool "workflow_deploy"', 'workflow:report');
    expect(await refusedCall('workflow_deploy')).toBe(text);
    await call('workflow_report', { a: 1 });
    expect(calls()).toEqual([['callWorkflow', { name: 'workflow_report', args: { a: 1 } }]]);
  });
});

requirement('4.2/call-tool-logged', () => {
  it('reports a refused call once with the tool, the toolset and the session', async () => {
    const header = ['server:wiki', 'tool:core_service_list'];
    const { call, harness } = under(header, {}, { session: 's7' });
    await call('x_files_read_file');
    const toolset = '[server:wiki,tool:core_service_list]';
    expect(harness.refusals).toEqual([{ tool: 'x_files_read_file', toolset, session: 's7' }]);
  });

  it('reports neither calls nor refused arguments nor refusals of describe_tool', async () => {
    const { call, result, harness } = under('server:wiki');
    await call('x_wiki_search');
    await call('x_files_read_file', 5);
    await result('describe_tool', { name: 'x_files_read_file' });
    await under(undefined, harness).call('x_none');
    expect(harness.refusals).toEqual([]);
  });
});

requirement('4.2/workflow-steps-not-rechecked', () => {
  it('runs a workflow without the toolset', async () => {
    const { call, harness } = under('workflow:deploy', {}, { session: 's7' });
    await call('workflow_deploy');
    const keys = Object.keys(harness.calls[0]?.context ?? {}).toSorted();
    expect(keys).toEqual(['principal', 'sessionId', 'signal']);
  });
});

requirement('1.2/composition', () => {
  it('refuses an absent tool instead of calling another one', async () => {
    const { refusedCall, calls } = under('preset:read-only');
    const text = outside('tool "core_service_stop"', 'preset:read-only');
    expect(await refusedCall('core_service_stop')).toBe(text);
    expect(calls()).toEqual([]);
  });
});

describe('routing', () => {
  const toServer = (server: string, tool: string, args: object) => [
    ...['callServerTool', { server, tool, arguments: args }],
  ];

  it.each([
    ['x_files_read_file', { path: 'a' }, toServer('files', 'read_file', { path: 'a' })],
    ['x_k8s_pods', { cluster: 'dev', namespace: 'n' }, toServer('dev', 'pods', { namespace: 'n' })],
    ['workflow_deploy', { a: 1 }, ['callWorkflow', { name: 'workflow_deploy', args: { a: 1 } }]],
    ['core_service_list', {}, ['callCoreTool', { name: 'core_service_list', args: {} }]],
  ])('calls %s where it is served', async (name, args, expected) => {
    const { call, calls } = under();
    await call(name, args);
    expect(calls()).toEqual([expected]);
  });

  it('passes session, signal, caller, progress, meta and answers on unchanged and unread', async () => {
    const harness = harnessOf();
    const get = (): never => {
      throw new Error('read on the way');
    };
    const unread = ['signal', 'caller', 'onProgress', 'meta', 'inputResponses', 'requestState'];
    const context = Object.defineProperties(
      { principal: ANONYMOUS, sessionId: 's9' } as CallContext,
      Object.fromEntries(unread.map((key) => [key, { get }])),
    );
    const args = { name: 'x_wiki_search' };
    await harness.metaTools.call({
      name: 'call_tool',
      arguments: args,
      toolsetHeader: undefined,
      context,
    });
    expect(harness.calls[0]?.context).toBe(context);
  });

  it.each([
    [
      undefined,
      'is provided by a family on servers dev, prod; the "cluster" parameter is required',
    ],
    [{ cluster: 'qa' }, 'is not available on server "qa" (available: dev, prod)'],
  ])('refuses a family call without or with an unknown instance: %j', async (args, text) => {
    const { refusedCall, calls } = under();
    expect(await refusedCall('x_k8s_pods', args)).toBe(
      `Tool execution failed: tool x_k8s_pods ${text}`,
    );
    expect(calls()).toEqual([]);
  });

  it('answers why a call got no result', async () => {
    expect(await refusal({ name: 'x_none' })).toBe('Tool not found: x_none');
    const { refusedCall } = under(
      undefined,
      failing('server not connected: wiki (status: Failed)'),
    );
    expect(await refusedCall('x_wiki_search')).toBe(
      'Tool execution failed: server not connected: wiki (status: Failed)',
    );
  });
});

describe('arguments', () => {
  it.each([{}, { arguments: null }, { arguments: undefined }, { arguments: {} }])(
    'treat %o as empty',
    async (args) => {
      const { result, calls } = under();
      await result('call_tool', { name: 'x_wiki_search', ...args });
      expect(calls()).toEqual([SEARCHED]);
    },
  );

  it.each([['text'], [5], [true], [['a']]])('refuse %j', async (args) => {
    expect(await refusal({ name: 'x_wiki_search', arguments: args })).toBe(
      'arguments must be a JSON object',
    );
  });

  it('are checked name first, then arguments, then the toolset', async () => {
    const refused = (args: unknown) => refusal(args, 'preset:none');
    expect(await refused({ arguments: 5 })).toBe('name argument is required');
    const text = 'arguments must be a JSON object';
    expect(await refused({ name: 'x_none', arguments: 5 })).toBe(text);
    expect(await refused({ name: 'x_none' })).toBe(outside('tool "x_none"', 'preset:none'));
  });

  it('arrive unchanged, with any keys and any size', async () => {
    const args = JSON.parse(
      `{"__proto__":{"a":1},"constructor":null,"🦊":[1.5],"big":"${'x'.repeat(10_000_000)}"}`,
    ) as JsonObject;
    const { call, harness } = under();
    await call('x_wiki_search', args);
    expect((harness.calls[0]?.call as { arguments: unknown }).arguments).toBe(args);
  });

  it('refuse a name that is too long to be one, and echo none of it', async () => {
    const named = (length: number) => refusal({ name: 'x'.repeat(length) });
    expect(await named(10_000_000)).toBe('name must be at most 8192 characters');
    expect(await named(8192)).toBe(`Tool not found: ${'x'.repeat(8192)}`);
  });
});

describe('arguments that do not fit the schema of a tool', () => {
  const invalid = (problem: string): string =>
    `Invalid arguments of x_files_read_file: ${problem}. Signature: x_files_read_file(path: string)`;

  it.each([
    [{}, 'path is required'],
    [{ path: null }, 'path must be string, not null'],
    [{ path: ['a'] }, 'path must be string, not array'],
  ])('are refused before the server is asked: %j', async (args, problem) => {
    const { refusedCall, calls } = under();
    expect(await refusedCall('x_files_read_file', args)).toBe(invalid(problem));
    expect(calls()).toEqual([]);
  });

  it('are passed on to a server that takes any', async () => {
    const { call, calls } = under(undefined, { unchecked: ['files', 'dev'] });
    await call('x_files_read_file', { path: 1 });
    await call('x_k8s_pods', { cluster: 'dev' });
    expect(calls()).toHaveLength(2);
  });

  it('are refused by the member of a family that would be called', async () => {
    const { refusedCall } = under(undefined, { unchecked: ['dev'] });
    const text =
      'Invalid arguments of x_k8s_pods: namespace is required. Signature: x_k8s_pods(namespace: string, cluster: "dev"|"prod")';
    expect(await refusedCall('x_k8s_pods', { cluster: 'prod' })).toBe(text);
    expect(await refusedCall('x_k8s_pods', {})).toMatch(/"cluster" parameter is required$/);
  });

  it('are refused after the toolset', async () => {
    const text = outside('tool "x_files_read_file"', 'server:wiki');
    expect(await refusal({ name: 'x_files_read_file' }, 'server:wiki')).toBe(text);
  });

  it('reach workflows and core tools, which check their own', async () => {
    const { call, calls } = under();
    for (const name of ['workflow_deploy', 'core_service_stop']) await call(name, {});
    expect(calls()).toHaveLength(2);
  });
});

describe('the result', () => {
  const KEY = 'gateway.internal/tool';

  it("is the tool's own with one _meta key more", async () => {
    const result = {
      content: [
        { type: 'text', text: 'a', annotations: { audience: ['user'] } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
      ],
      structuredContent: { a: [1] },
      isError: true,
      unknown: { kept: true },
      _meta: { theirs: 1 },
    };
    const origin = { name: 'x_files_read_file', server: 'files', serverTool: 'read_file' };
    expect(
      await under(undefined, resulting(result)).call('x_files_read_file', { path: 'a' }),
    ).toEqual({
      ...result,
      _meta: { theirs: 1, [KEY]: origin },
    });
  });

  it.each([
    [
      '{"content":[], "structuredContent":{"a":1.10,"a":1e400}}',
      '{"_meta":META,"content":[], "structuredContent":{"a":1.10,"a":1e400}}',
    ],
    [
      '{"content":[],"_meta":{"n":7960607143101464576,"gateway.internal/tool":"mine"},"x":"\\ud800"}',
      '{"content":[],"_meta":{"n":7960607143101464576,META_MEMBER},"x":"\\ud800"}',
    ],
    ['{"_meta":null}', '{"_meta":META}'],
    ['{}', '{"_meta":META}'],
  ])('keeps the bytes of the server around its own key: %s', async (sent, expected) => {
    const bytes = Buffer.from(sent);
    const scan = new JsonScan(bytes, { members: { _meta: {}, resultType: {} } });
    scan.advance();
    const result = scan.root && RawObject.at(bytes, scan.root);
    if (result === undefined) throw new Error('no object');
    const { metaTools } = harnessOf({ outcome: { ok: true, result } });
    const args = { name: 'x_wiki_search' };
    const request = { name: 'call_tool', arguments: args, toolsetHeader: undefined };
    const member =
      '"gateway.internal/tool":{"name":"x_wiki_search","server":"wiki","serverTool":"search"}';
    expect(formatJson(await metaTools.call({ ...request, context: contextOf() }))).toBe(
      expected.replace('META_MEMBER', member).replace('META', `{${member}}`),
    );
  });

  it.each([
    ['call_tool', { name: 'x_wiki_search' }],
    ['get_resource', { uri: 'wiki://home' }],
    ['get_prompt', { name: 'x_wiki_summary' }],
  ] as const)('of %s is passed on unchanged when it asks for input', async (name, args) => {
    const inputRequests = { a: { method: 'roots/list' } };
    const result = { resultType: 'input_required', inputRequests, requestState: 's' };
    expect(await under(undefined, resulting(result)).result(name, args)).toBe(result);
  });

  it.each([
    ['x_k8s_pods', { server: 'prod', serverTool: 'pods' }],
    ['workflow_deploy', {}],
    ['core_service_list', {}],
  ])('of %s names the member that answered, if a server serves it', async (name, origin) => {
    const { call } = under(undefined, { apiGroup: 'mcp.example.com' });
    const { _meta } = await call(name, { cluster: 'prod', namespace: 'n' });
    expect(_meta).toEqual({ 'mcp.example.com/tool': { name, ...origin } });
  });

  it("is deep-equal to the tool's result except for that key, for any JSON", async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(object, fc.option(object, { nil: undefined }), async (own, meta) => {
        const result: JsonObject = { ...own, ...(meta !== undefined && { _meta: meta }) };
        const before = JSON.stringify(result);
        const { call } = under(undefined, resulting(result));
        const { _meta, ...rest } = await call('x_wiki_edit', { path: 'a' });
        const { [KEY]: origin, ...theirs } = _meta as JsonObject;
        const { _meta: ownMeta, ...ownRest } = result;
        expect(origin).toEqual({ name: 'x_wiki_edit', server: 'wiki', serverTool: 'edit' });
        expect(JSON.stringify(rest)).toBe(JSON.stringify(ownRest));
        const isObject = typeof ownMeta === 'object' && ownMeta !== null && !Array.isArray(ownMeta);
        expect(JSON.stringify(theirs)).toBe(JSON.stringify(isObject ? ownMeta : {}));
        expect(JSON.stringify(result)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});
