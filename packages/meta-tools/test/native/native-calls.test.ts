import { ANONYMOUS, type Caller, type JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import {
  callOf,
  inputOf,
  nativeHarness,
  contextOf,
  serverOf,
  type NativeHarness,
} from './native-harness.ts';

const caller = (takesInputRequired: boolean): Caller => ({
  capabilities: {},
  takesInputRequired,
  logLevel: undefined,
  identity: {},
  ask: () => Promise.resolve({ ok: true, result: {} }),
  notify: () => undefined,
});

const createRequestError = (code: number, message: string, data?: JsonObject) => ({
  ok: false,
  error: data === undefined ? { code, message } : { code, message, data },
});

const isErrorText = (text: string) => ({
  ok: true,
  result: { content: [{ type: 'text', text }], isError: true },
});

const portCalls = ({ calls }: NativeHarness) => calls.map(({ port, call }) => [port, call]);

const malformed =
  'toolset [files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>';

describe('tools/call', () => {
  it('answers with the result of the server, untouched', async () => {
    const outcome = { ok: true, result: { content: [], own: 1 } };
    const harness = nativeHarness({ outcome } as Parameters<typeof nativeHarness>[0]);
    const answer = await callOf(harness, 'tools/call', { name: 'search', arguments: { a: 1 } });
    expect(answer).toBe(outcome);
    expect(portCalls(harness)).toEqual([
      ['callServerTool', { server: 'wiki', tool: 'search', arguments: { a: 1 } }],
    ]);
  });

  it('passes the context on unchanged', async () => {
    const harness = nativeHarness();
    const context = contextOf({ meta: { a: 1 }, inputResponses: { b: 2 }, requestState: 'c' });
    await callOf(harness, 'tools/call', { name: 'search' }, { context });
    expect(harness.calls[0]?.context).toBe(context);
  });

  it('reaches an instance of a family, and workflows, and explains failures', async () => {
    const harness = nativeHarness();
    await callOf(harness, 'tools/call', { name: 'pods', arguments: { cluster: 'dev', n: 1 } });
    await callOf(harness, 'tools/call', { name: 'workflow_deploy', arguments: { service: 'a' } });
    expect(portCalls(harness)).toEqual([
      ['callServerTool', { server: 'dev', tool: 'pods', arguments: { n: 1 } }],
      ['callWorkflow', { name: 'workflow_deploy', args: { service: 'a' } }],
    ]);
    expect(await callOf(harness, 'tools/call', { name: 'pods' })).toEqual(
      isErrorText(
        'Tool execution failed: tool x_k8s_pods is provided by a family on servers dev, prod; the "cluster" parameter is required',
      ),
    );
  });

  it.each(['nothing', 'core_service_list', '__proto__', ''])(
    'refuses %j as an unknown tool',
    async (name) => {
      const harness = nativeHarness();
      expect(await callOf(harness, 'tools/call', { name })).toEqual(
        createRequestError(-32602, `Unknown tool: ${JSON.stringify(name)}`),
      );
      expect(harness.calls).toEqual([]);
    },
  );

  it('repeats no more than 200 characters of a name', async () => {
    expect(await callOf(nativeHarness(), 'tools/call', { name: 'x'.repeat(9_000_000) })).toEqual(
      createRequestError(-32602, `Unknown tool: "${'x'.repeat(200)}…"`),
    );
  });

  it("passes on a server's JSON-RPC error, and returns any other failure as a result", async () => {
    const error = { code: -32001, message: 'busy', data: { after: 5 } };
    const refused = nativeHarness({ outcome: { ok: false, text: 'refused: busy', error } });
    expect(await callOf(refused, 'tools/call', { name: 'search' })).toEqual({ ok: false, error });
    const gone = nativeHarness({ outcome: { ok: false, text: 'server not connected: wiki' } });
    expect(await callOf(gone, 'tools/call', { name: 'search' })).toEqual(
      isErrorText('Tool execution failed: server not connected: wiki'),
    );
  });
});

requirement('4.2/native-calls', () => {
  it('refuses a tool outside, known or not, by a result, and reports it once', async () => {
    const harness = nativeHarness();
    for (const name of ['search', 'x_wiki_search', 'nothing', 'core_service_list']) {
      expect(await callOf(harness, 'tools/call', { name }, { header: 'server:files' })).toEqual(
        isErrorText(`tool "${name}" is outside the toolset [server:files]`),
      );
      expect(harness.refusals.splice(0)).toEqual([
        { tool: name, toolset: '[server:files]', session: 's1' },
      ]);
      expect(harness.toolsetRefusals.splice(0)).toEqual(['outside']);
    }
    expect(harness.calls).toEqual([]);
  });

  it('calls tools inside by both names', async () => {
    const harness = nativeHarness();
    for (const name of ['read_file', 'x_files_read_file'])
      await callOf(harness, 'tools/call', { name }, { header: 'tool:x_files_read_file' });
    expect(harness.calls).toHaveLength(2);
    expect(harness.refusals).toEqual([]);
  });

  it.each([
    ['resources/read', { uri: 'wiki://home' }, 'resource "wiki://home"'],
    ['resources/read', { uri: 'none://at-all' }, 'resource "none://at-all"'],
    ['prompts/get', { name: 'summary' }, 'prompt "summary"'],
    ['prompts/get', { name: 'nothing' }, 'prompt "nothing"'],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'summary' }, argument: { name: 'a', value: '' } },
      'prompt "summary"',
    ],
  ] as const)('refuses %s of %j outside by an error', async (method, params, what) => {
    const harness = nativeHarness();
    expect(await callOf(harness, method, params, { header: 'server:files' })).toEqual(
      createRequestError(-32602, `${what} is outside the toolset [server:files]`),
    );
    expect(harness.calls).toEqual([]);
  });

  it('refuses every call under a refused toolset: a tool by a result, the rest by an error', async () => {
    const harness = nativeHarness();
    const asked = { header: 'files' };
    expect(await callOf(harness, 'tools/call', { name: 'search' }, asked)).toEqual(
      isErrorText(malformed),
    );
    for (const [method, params] of [
      ['resources/read', { uri: 'wiki://home' }],
      ['prompts/get', { name: 'summary' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'summary' } }],
    ] as const)
      expect(await callOf(harness, method, params, asked)).toEqual(
        createRequestError(-32602, malformed),
      );
    expect(harness.calls).toEqual([]);
    expect(harness.toolsetRefusals).toEqual(Array.from({ length: 4 }, () => 'malformed'));
  });

  it('refuses to follow a resource outside, and follows one inside', async () => {
    const harness = nativeHarness();
    const follow = (uri: string) =>
      harness.surface.subscribe(uri, () => undefined, {
        toolsetHeader: ['server:files'],
        principal: ANONYMOUS,
        sessionId: 's1',
      });
    expect(await follow('wiki://home')).toEqual(
      createRequestError(-32602, 'resource "wiki://home" is outside the toolset [server:files]'),
    );
    expect(await follow('file:///readme')).toMatchObject({ ok: true });
    expect(portCalls(harness)).toEqual([
      ['subscribeResource', { server: 'files', uri: 'file:///readme' }],
    ]);
  });
});

describe('resources/read', () => {
  it('reads from the owner, by the URI of the server, and from the template that matches', async () => {
    const harness = nativeHarness({
      input: inputOf(
        serverOf('all', [], { resourceTemplates: [{ uriTemplate: '{+anything}' }] }),
        serverOf('logs', [], {
          resources: [{ uri: 'today' }],
          resourceTemplates: [{ uriTemplate: 'logs://{day}' }],
        }),
      ),
    });
    for (const uri of ['today', 'x_logs_today', 'logs://monday', 'other://b'])
      await callOf(harness, 'resources/read', { uri });
    expect(portCalls(harness)).toEqual([
      ['readResource', { server: 'logs', uri: 'today' }],
      ['readResource', { server: 'logs', uri: 'today' }],
      ['readResource', { server: 'logs', uri: 'logs://monday' }],
      ['readResource', { server: 'all', uri: 'other://b' }],
    ]);
  });

  it('refuses an unknown URI with the error of the revision', async () => {
    const harness = nativeHarness();
    const uri = 'none://at-all';
    const ask = (modern: boolean) =>
      callOf(
        harness,
        'resources/read',
        { uri },
        { context: contextOf({ caller: caller(modern) }) },
      );
    const message = 'Resource not found: none://at-all';
    expect(await ask(false)).toEqual(createRequestError(-32002, message, { uri }));
    expect(await ask(true)).toEqual(createRequestError(-32602, message, { uri }));
    expect(await callOf(harness, 'resources/read', { uri })).toEqual(
      createRequestError(-32002, message, { uri }),
    );
  });

  it("passes on a server's error, and returns any other failure as an internal error", async () => {
    const error = { code: -32002, message: 'Resource not found' };
    const refused = nativeHarness({ outcome: { ok: false, text: 'refused', error } });
    expect(await callOf(refused, 'resources/read', { uri: 'wiki://home' })).toEqual({
      ok: false,
      error,
    });
    const gone = nativeHarness({ outcome: { ok: false, text: 'server not connected: wiki' } });
    expect(await callOf(gone, 'resources/read', { uri: 'wiki://home' })).toEqual(
      createRequestError(-32603, 'Resource retrieval failed: server not connected: wiki'),
    );
  });
});

describe('prompts/get', () => {
  it('gets the prompt by its name at the server', async () => {
    const harness = nativeHarness();
    for (const name of ['review', 'x_files_review'])
      await callOf(harness, 'prompts/get', { name, arguments: { path: 'a' } });
    const call = { server: 'files', prompt: 'review', arguments: { path: 'a' } };
    expect(portCalls(harness)).toEqual([
      ['getPrompt', call],
      ['getPrompt', call],
    ]);
    expect(await callOf(harness, 'prompts/get', { name: 'nothing' })).toEqual(
      createRequestError(-32602, 'Unknown prompt: "nothing"'),
    );
  });
});

describe('completion/complete', () => {
  const argument = { name: 'day', value: 'mo' };

  it('asks the owner of a prompt, a template or a resource in its own words', async () => {
    const harness = nativeHarness();
    const context = { arguments: { year: '1' } };
    const refs = [
      { type: 'ref/prompt', name: 'x_files_review' },
      { type: 'ref/resource', uri: 'file:///logs/{day}' },
      { type: 'ref/resource', uri: 'wiki://home' },
    ];
    for (const ref of refs)
      await callOf(harness, 'completion/complete', { ref, argument, context });
    expect(portCalls(harness)).toEqual([
      [
        'complete',
        { server: 'files', ref: { type: 'ref/prompt', name: 'review' }, argument, context },
      ],
      ['complete', { server: 'files', ref: refs[1], argument, context }],
      ['complete', { server: 'wiki', ref: refs[2], argument, context }],
    ]);
  });

  it('refuses an unknown name', async () => {
    const ask = (ref: JsonObject) =>
      callOf(nativeHarness(), 'completion/complete', { ref, argument });
    expect(await ask({ type: 'ref/prompt', name: 'nothing' })).toEqual(
      createRequestError(-32602, 'Unknown prompt: "nothing"'),
    );
    expect(await ask({ type: 'ref/resource', uri: 'none://at-all' })).toMatchObject({
      ok: false,
      error: { message: 'Resource not found: none://at-all' },
    });
    expect(await ask({})).toEqual(createRequestError(-32602, 'Unknown prompt: ""'));
  });
});

describe('following a resource', () => {
  it('sends updates under the URI that the client gave', async () => {
    const harness = nativeHarness({
      input: inputOf(serverOf('a', [], { resources: [{ uri: 'todo' }] })),
    });
    const updates: JsonObject[] = [];
    await harness.surface.subscribe('x_a_todo', (params) => updates.push(params), {
      toolsetHeader: undefined,
      principal: ANONYMOUS,
      sessionId: 's1',
    });
    harness.followed[0]?.({ uri: 'todo', title: 'Changed' });
    expect(updates).toEqual([{ uri: 'x_a_todo', title: 'Changed' }]);
  });

  it('refuses an unknown resource, and passes on the reason of a server', async () => {
    const follow = (harness: NativeHarness, uri: string) =>
      harness.surface.subscribe(uri, () => undefined, {
        toolsetHeader: undefined,
        principal: ANONYMOUS,
        sessionId: 's1',
      });
    expect(await follow(nativeHarness(), 'none://at-all')).toEqual(
      createRequestError(-32002, 'Resource not found: none://at-all', { uri: 'none://at-all' }),
    );
    const gone = nativeHarness({ outcome: { ok: false, text: 'server not connected: wiki' } });
    expect(await follow(gone, 'wiki://home')).toEqual(
      createRequestError(-32603, 'Subscription failed: server not connected: wiki'),
    );
  });
});
