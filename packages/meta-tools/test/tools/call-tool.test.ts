import { formatJson, JsonScan, RawObject } from '@gateway/mcp-wire';
import { ANONYMOUS, type CallContext } from '@gateway/call-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { refusalOf, resultOf, harnessOf } from '../harness.ts';

const outsideOf = (name: string, toolset: string): string =>
  `tool "${name}" is outside the toolset ${toolset}`;

requirement('4.2/call-tool-outside', () => {
  it('refuses a tool that the toolset excludes and calls nothing', async () => {
    const harness = harnessOf();
    const asked = { harness, header: 'server:wiki , preset:none' };
    expect(await refusalOf('call_tool', { name: 'x_files_read_file' }, asked)).toBe(
      outsideOf('x_files_read_file', '[server:wiki,preset:none]'),
    );
    expect(harness.calls).toEqual([]);
  });

  it('refuses an unknown name with the same text', async () => {
    for (const name of ['x_none', '__proto__', 'constructor']) {
      expect(await refusalOf('call_tool', { name }, { header: 'preset:full' })).toBe(
        outsideOf(name, '[preset:full]'),
      );
    }
  });

  it('calls a tool inside', async () => {
    const harness = harnessOf();
    await resultOf('call_tool', { name: 'x_wiki_search' }, { harness, header: 'server:wiki' });
    expect(harness.calls.map(({ port, call }) => [port, call])).toEqual([
      ['callServerTool', { server: 'wiki', tool: 'search', arguments: {} }],
    ]);
  });
});

requirement('4.2/call-tool-workflow', () => {
  it('refuses a workflow outside and runs one inside', async () => {
    const harness = harnessOf();
    const asked = { harness, header: 'workflow:report' };
    expect(await refusalOf('call_tool', { name: 'workflow_deploy' }, asked)).toBe(
      outsideOf('workflow_deploy', '[workflow:report]'),
    );
    await resultOf('call_tool', { name: 'workflow_report', arguments: { a: 1 } }, asked);
    expect(harness.calls.map(({ port, call }) => [port, call])).toEqual([
      ['callWorkflow', { name: 'workflow_report', args: { a: 1 } }],
    ]);
  });
});

requirement('4.2/call-tool-logged', () => {
  it('reports a refused call once with the tool, the toolset and the session', async () => {
    const harness = harnessOf();
    const asked = { harness, header: ['server:wiki', 'tool:core_service_list'], session: 's7' };
    await resultOf('call_tool', { name: 'x_files_read_file' }, asked);
    expect(harness.refusals).toEqual([
      {
        tool: 'x_files_read_file',
        toolset: '[server:wiki,tool:core_service_list]',
        session: 's7',
      },
    ]);
  });

  it('reports neither calls nor refused arguments nor refusals of describe_tool', async () => {
    const harness = harnessOf();
    const asked = { harness, header: 'server:wiki' };
    await resultOf('call_tool', { name: 'x_wiki_search' }, asked);
    await resultOf('call_tool', { name: 'x_files_read_file', arguments: 5 }, asked);
    await resultOf('describe_tool', { name: 'x_files_read_file' }, asked);
    await resultOf('call_tool', { name: 'x_none' }, { harness });
    expect(harness.refusals).toEqual([]);
  });
});

requirement('4.2/workflow-steps-not-rechecked', () => {
  it('runs a workflow without the toolset', async () => {
    const harness = harnessOf();
    const asked = { harness, header: 'workflow:deploy', session: 's7' };
    await resultOf('call_tool', { name: 'workflow_deploy' }, asked);
    expect(Object.keys(harness.calls[0]?.context ?? {}).toSorted()).toEqual([
      'principal',
      'sessionId',
      'signal',
    ]);
  });
});

requirement('1.2/composition', () => {
  it('refuses an absent tool instead of calling another one', async () => {
    const harness = harnessOf();
    expect(
      await refusalOf(
        'call_tool',
        { name: 'core_service_stop' },
        { harness, header: 'preset:read-only' },
      ),
    ).toBe(outsideOf('core_service_stop', '[preset:read-only]'));
    expect(harness.calls).toEqual([]);
  });
});

describe('routing', () => {
  it.each([
    [
      'x_files_read_file',
      { path: 'a' },
      'callServerTool',
      { server: 'files', tool: 'read_file', arguments: { path: 'a' } },
    ],
    [
      'x_k8s_pods',
      { cluster: 'dev', namespace: 'default' },
      'callServerTool',
      { server: 'dev', tool: 'pods', arguments: { namespace: 'default' } },
    ],
    [
      'workflow_deploy',
      { service: 'a' },
      'callWorkflow',
      { name: 'workflow_deploy', args: { service: 'a' } },
    ],
    ['core_service_list', {}, 'callCoreTool', { name: 'core_service_list', args: {} }],
  ])('calls %s where it is served', async (name, args, port, call) => {
    const harness = harnessOf();
    await resultOf('call_tool', { name, arguments: args }, { harness });
    expect(harness.calls.map((one) => [one.port, one.call])).toEqual([[port, call]]);
  });

  it('passes session, signal, caller, progress, meta and answers on unchanged and unread', async () => {
    const harness = harnessOf();
    const unread = (): never => {
      throw new Error('read on the way');
    };
    const context = Object.defineProperties(
      { principal: ANONYMOUS, sessionId: 's9' } as CallContext,
      {
        signal: { get: unread },
        caller: { get: unread },
        onProgress: { get: unread },
        meta: { get: unread },
        inputResponses: { get: unread },
        requestState: { get: unread },
      },
    );
    await harness.metaTools.call({
      name: 'call_tool',
      arguments: { name: 'x_wiki_search' },
      toolsetHeader: undefined,
      context,
    });
    expect(harness.calls[0]?.context).toBe(context);
  });

  it('refuses a family call without or with an unknown instance', async () => {
    const harness = harnessOf();
    expect(await refusalOf('call_tool', { name: 'x_k8s_pods' }, { harness })).toBe(
      'Tool execution failed: tool x_k8s_pods is provided by a family on servers dev, prod; the "cluster" parameter is required',
    );
    expect(
      await refusalOf(
        'call_tool',
        { name: 'x_k8s_pods', arguments: { cluster: 'qa' } },
        { harness },
      ),
    ).toBe(
      'Tool execution failed: tool x_k8s_pods is not available on server "qa" (available: dev, prod)',
    );
    expect(harness.calls).toEqual([]);
  });

  it('answers Tool not found to an unknown name without a toolset', async () => {
    expect(await refusalOf('call_tool', { name: 'x_none' })).toBe('Tool not found: x_none');
  });

  it('answers why a call got no result', async () => {
    const harness = harnessOf({
      outcome: { ok: false, text: 'server not connected: wiki (status: Failed)' },
    });
    expect(await refusalOf('call_tool', { name: 'x_wiki_search' }, { harness })).toBe(
      'Tool execution failed: server not connected: wiki (status: Failed)',
    );
  });
});

describe('arguments', () => {
  it('treat absent and null as empty', async () => {
    for (const args of [{}, { arguments: null }, { arguments: undefined }, { arguments: {} }]) {
      const harness = harnessOf();
      await resultOf('call_tool', { name: 'x_wiki_search', ...args }, { harness });
      expect(harness.calls[0]?.call).toEqual({ server: 'wiki', tool: 'search', arguments: {} });
    }
  });

  it.each([['text'], [5], [true], [['a']]])('refuse %j', async (args) => {
    expect(await refusalOf('call_tool', { name: 'x_wiki_search', arguments: args })).toBe(
      'arguments must be a JSON object',
    );
  });

  it('are checked name first, then arguments, then the toolset', async () => {
    const asked = { header: 'preset:none' };
    expect(await refusalOf('call_tool', { arguments: 5 }, asked)).toBe('name argument is required');
    expect(await refusalOf('call_tool', { name: 'x_none', arguments: 5 }, asked)).toBe(
      'arguments must be a JSON object',
    );
    expect(await refusalOf('call_tool', { name: 'x_none' }, asked)).toBe(
      outsideOf('x_none', '[preset:none]'),
    );
  });

  it('arrive unchanged, with any keys and any size', async () => {
    const args = JSON.parse(
      `{"__proto__":{"a":1},"constructor":null,"🦊":[1.5],"big":"${'x'.repeat(10_000_000)}"}`,
    ) as Readonly<Record<string, unknown>>;
    const harness = harnessOf();
    await resultOf('call_tool', { name: 'x_wiki_search', arguments: args }, { harness });
    expect((harness.calls[0]?.call as { arguments: unknown }).arguments).toBe(args);
  });

  it('refuse a name that is too long to be one, and echo none of it', async () => {
    expect(await refusalOf('call_tool', { name: 'x'.repeat(10_000_000) })).toBe(
      'name must be at most 8192 characters',
    );
    expect(await refusalOf('call_tool', { name: 'x'.repeat(8192) })).toBe(
      `Tool not found: ${'x'.repeat(8192)}`,
    );
  });
});

describe('the result', () => {
  it("is the tool's own with one _meta key more", async () => {
    const result = {
      content: [
        { type: 'text', text: 'a', annotations: { audience: ['user'] } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
      ],
      structuredContent: { a: [1] },
      isError: true,
      _meta: { theirs: 1 },
      unknown: { kept: true },
    };
    const harness = harnessOf({ outcome: { ok: true, result } });
    expect(await resultOf('call_tool', { name: 'x_files_read_file' }, { harness })).toEqual({
      ...result,
      _meta: {
        theirs: 1,
        'gateway.internal/tool': {
          name: 'x_files_read_file',
          server: 'files',
          serverTool: 'read_file',
        },
      },
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
    const harness = harnessOf({ outcome: { ok: true, result } });
    const answer = await harness.metaTools.call({
      name: 'call_tool',
      arguments: { name: 'x_wiki_search' },
      toolsetHeader: undefined,
      context: { principal: ANONYMOUS, sessionId: 's1', signal: new AbortController().signal },
    });
    const member =
      '"gateway.internal/tool":{"name":"x_wiki_search","server":"wiki","serverTool":"search"}';
    expect(formatJson(answer)).toBe(
      expected.replace('META_MEMBER', member).replace('META', `{${member}}`),
    );
  });

  it('is passed on unchanged when it asks for input, from a tool, a resource and a prompt', async () => {
    const result = {
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' } },
      requestState: 's',
    };
    const harness = harnessOf({ outcome: { ok: true, result } });
    for (const [name, args] of [
      ['call_tool', { name: 'x_wiki_search' }],
      ['get_resource', { uri: 'wiki://home' }],
      ['get_prompt', { name: 'x_wiki_summary' }],
    ] as const)
      expect(await resultOf(name, args, { harness })).toBe(result);
  });

  it('names the member that answered for a family, and only the tool when no server serves it', async () => {
    const toMeta = async (name: string, args: object, apiGroup?: string) =>
      (
        await resultOf(
          'call_tool',
          { name, arguments: args },
          {
            harness: harnessOf(apiGroup === undefined ? {} : { apiGroup }),
          },
        )
      )['_meta'];
    expect(await toMeta('x_k8s_pods', { cluster: 'prod' })).toEqual({
      'gateway.internal/tool': { name: 'x_k8s_pods', server: 'prod', serverTool: 'pods' },
    });
    expect(await toMeta('workflow_deploy', {})).toEqual({
      'gateway.internal/tool': { name: 'workflow_deploy' },
    });
    expect(await toMeta('core_service_list', {}, 'mcp.example.com')).toEqual({
      'mcp.example.com/tool': { name: 'core_service_list' },
    });
  });

  it("is deep-equal to the tool's result except for that key, for any JSON", async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(object, fc.option(object, { nil: undefined }), async (own, meta) => {
        const result = { ...own, ...(meta !== undefined && { _meta: meta }) };
        const before = JSON.stringify(result);
        const harness = harnessOf({ outcome: { ok: true, result } });
        const { _meta, ...rest } = await resultOf(
          'call_tool',
          { name: 'x_wiki_edit' },
          { harness },
        );
        const { 'gateway.internal/tool': origin, ...theirs } = _meta as Record<string, unknown>;
        const { _meta: ownMeta, ...ownRest } = result as Record<string, unknown>;
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
