import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { callerOf, failing, outside } from '../harness.ts';
import {
  contextOf,
  errorOf,
  failedTool,
  inputOf,
  nativeUnder,
  serverOf,
} from './native-harness.ts';

const MALFORMED =
  'toolset [files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>';
const GONE = failing('server not connected: wiki');
const refusing = (error: { readonly code: number; readonly message: string }) => ({
  outcome: { ok: false, text: 'refused', error } as const,
});
const COMPLETE = {
  ref: { type: 'ref/prompt', name: 'summary' },
  argument: { name: 'a', value: '' },
};

describe('tools/call', () => {
  it('answers with the result of the server, untouched, and passes the context on', async () => {
    const outcome = { ok: true, result: { content: [], own: 1 } } as const;
    const { send, calls } = nativeUnder(undefined, { outcome });
    const context = contextOf({ meta: { a: 1 }, inputResponses: { b: 2 }, requestState: 'c' });
    const params = { name: 'search', arguments: { a: 1 } };
    expect(await send('tools/call', params, context)).toBe(outcome);
    const call = { server: 'wiki', tool: 'search', arguments: { a: 1 } };
    expect(calls).toEqual([{ port: 'callServerTool', call, context }]);
    expect(calls[0]?.context).toBe(context);
  });

  it('reaches an instance of a family, and workflows, and explains failures', async () => {
    const { call, portCalls } = nativeUnder();
    await call('pods', { cluster: 'dev', namespace: 'n' });
    await call('workflow_deploy', { service: 'a' });
    expect(portCalls()).toEqual([
      ['callServerTool', { server: 'dev', tool: 'pods', arguments: { namespace: 'n' } }],
      ['callWorkflow', { name: 'workflow_deploy', args: { service: 'a' } }],
    ]);
    expect(await call('pods')).toEqual(
      failedTool(
        'Tool execution failed: tool x_k8s_pods is provided by a family on servers dev, prod; the "cluster" parameter is required',
      ),
    );
  });

  it('refuses arguments that do not fit the schema of the tool, unless its server takes any', async () => {
    const { call, calls } = nativeUnder();
    expect(await call('read_file', { path: 1 })).toEqual(
      failedTool(
        'Invalid arguments of x_files_read_file: path must be string, not integer. Signature: x_files_read_file(path: string)',
      ),
    );
    expect(calls).toEqual([]);
    const unchecked = nativeUnder(undefined, { unchecked: ['files'] });
    await unchecked.call('read_file', { path: 1 });
    expect(unchecked.calls).toHaveLength(1);
  });

  it.each([
    ...['nothing', 'core_service_list', '__proto__', ''].map(
      (name) => [name, `"${name}"`] as const,
    ),
    ['x'.repeat(9_000_000), `"${'x'.repeat(200)}…"`] as const,
  ])('refuses %.20s as an unknown tool, with 200 characters of its name', async (name, shown) => {
    const { call, calls } = nativeUnder();
    expect(await call(name)).toEqual(errorOf(-32602, `Unknown tool: ${shown}`));
    expect(calls).toEqual([]);
  });

  it("passes on a server's JSON-RPC error, and returns any other failure as a result", async () => {
    const error = { code: -32001, message: 'busy', data: { after: 5 } };
    const refused = nativeUnder(undefined, refusing(error));
    expect(await refused.call('search')).toEqual({ ok: false, error });
    expect(await nativeUnder(undefined, GONE).call('search')).toEqual(
      failedTool('Tool execution failed: server not connected: wiki'),
    );
  });
});

requirement('4.2/native-calls', () => {
  it.each(['search', 'x_wiki_search', 'nothing', 'core_service_list'])(
    'refuses the tool %s outside, known or not, by a result, and reports it once',
    async (name) => {
      const { call, calls, refusals, toolsetRefusals } = nativeUnder('server:files');
      const text = outside(`tool "${name}"`, 'server:files');
      expect(await call(name)).toEqual(failedTool(text));
      expect(refusals).toEqual([{ tool: name, toolset: '[server:files]', session: 's1' }]);
      expect([toolsetRefusals, calls]).toEqual([['outside'], []]);
    },
  );

  it('calls tools inside by both names', async () => {
    const { call, calls, refusals } = nativeUnder('tool:x_files_read_file');
    for (const name of ['read_file', 'x_files_read_file']) await call(name, { path: 'a' });
    expect([calls.length, refusals]).toEqual([2, []]);
  });

  it.each([
    ['resources/read', { uri: 'wiki://home' }, 'resource "wiki://home"'],
    ['resources/read', { uri: 'none://at-all' }, 'resource "none://at-all"'],
    ['prompts/get', { name: 'summary' }, 'prompt "summary"'],
    ['prompts/get', { name: 'nothing' }, 'prompt "nothing"'],
    ['completion/complete', COMPLETE, 'prompt "summary"'],
  ] as const)('refuses %s of %j outside by an error', async (method, params, what) => {
    const { send, calls } = nativeUnder('server:files');
    expect(await send(method, params)).toEqual(errorOf(-32602, outside(what, 'server:files')));
    expect(calls).toEqual([]);
  });

  it.each([
    ['tools/call', { name: 'search' }, failedTool(MALFORMED)],
    ['resources/read', { uri: 'wiki://home' }, errorOf(-32602, MALFORMED)],
    ['prompts/get', { name: 'summary' }, errorOf(-32602, MALFORMED)],
    ['completion/complete', COMPLETE, errorOf(-32602, MALFORMED)],
  ] as const)('refuses %s under a refused toolset', async (method, params, answer) => {
    const { send, calls, toolsetRefusals } = nativeUnder('files');
    expect(await send(method, params)).toEqual(answer);
    expect([calls, toolsetRefusals]).toEqual([[], ['malformed']]);
  });

  it('refuses to follow a resource outside, and follows one inside', async () => {
    const { follow, portCalls } = nativeUnder('server:files');
    expect(await follow('wiki://home')).toEqual(
      errorOf(-32602, outside('resource "wiki://home"', 'server:files')),
    );
    const uri = 'file:///readme';
    expect(await follow(uri)).toMatchObject({ ok: true });
    expect(portCalls()).toEqual([['subscribeResource', { server: 'files', uri }]]);
  });
});

describe('resources/read', () => {
  it('reads from the owner, by the URI of the server, and from the template that matches', async () => {
    const template = (uriTemplate: string) => ({ resourceTemplates: [{ uriTemplate }] });
    const logs = { resources: [{ uri: 'today' }], ...template('logs://{day}') };
    const { read, calls } = nativeUnder(undefined, {
      input: inputOf(serverOf('all', [], template('{+anything}')), serverOf('logs', [], logs)),
    });
    for (const uri of ['today', 'x_logs_today', 'logs://monday', 'other://b']) await read(uri);
    expect(calls.map(({ call }) => call)).toEqual([
      { server: 'logs', uri: 'today' },
      { server: 'logs', uri: 'today' },
      { server: 'logs', uri: 'logs://monday' },
      { server: 'all', uri: 'other://b' },
    ]);
  });

  it.each([
    [{ caller: callerOf(false) }, -32002],
    [{ caller: callerOf(true) }, -32602],
    [{}, -32002],
  ])('refuses an unknown URI with the error of the revision: %#', async (more, code) => {
    const uri = 'none://at-all';
    const answer = errorOf(code, 'Resource not found: none://at-all', { uri });
    expect(await nativeUnder().read(uri, contextOf(more))).toEqual(answer);
  });

  it("passes on a server's error, and returns any other failure as an internal error", async () => {
    const error = { code: -32002, message: 'Resource not found' };
    const refused = nativeUnder(undefined, refusing(error));
    expect(await refused.read('wiki://home')).toEqual({ ok: false, error });
    expect(await nativeUnder(undefined, GONE).read('wiki://home')).toEqual(
      errorOf(-32603, 'Resource retrieval failed: server not connected: wiki'),
    );
  });
});

it('gets a prompt by its name at the server', async () => {
  const { send, portCalls } = nativeUnder();
  for (const name of ['review', 'x_files_review'])
    await send('prompts/get', { name, arguments: { path: 'a' } });
  const call = { server: 'files', prompt: 'review', arguments: { path: 'a' } };
  expect(portCalls()).toEqual([
    ['getPrompt', call],
    ['getPrompt', call],
  ]);
  expect(await send('prompts/get', { name: 'nothing' })).toEqual(
    errorOf(-32602, 'Unknown prompt: "nothing"'),
  );
});

describe('completion/complete', () => {
  const argument = { name: 'day', value: 'mo' };

  it.each([
    [
      'files',
      { type: 'ref/prompt', name: 'x_files_review' },
      { type: 'ref/prompt', name: 'review' },
    ],
    ['files', { type: 'ref/resource', uri: 'file:///logs/{day}' }],
    ['wiki', { type: 'ref/resource', uri: 'wiki://home' }],
  ] as const)(
    'asks %s, the owner, in its own words: %j',
    async (server, ref, own: object = ref) => {
      const { send, portCalls } = nativeUnder();
      const context = { arguments: { year: '1' } };
      await send('completion/complete', { ref, argument, context });
      expect(portCalls()).toEqual([['complete', { server, ref: own, argument, context }]]);
    },
  );

  it.each<readonly [JsonObject, string]>([
    [{ type: 'ref/prompt', name: 'nothing' }, 'Unknown prompt: "nothing"'],
    [{ type: 'ref/resource', uri: 'none://at-all' }, 'Resource not found: none://at-all'],
    [{}, 'Unknown prompt: ""'],
  ])('refuses the unknown name %j', async (ref, message) => {
    const answer = await nativeUnder().send('completion/complete', { ref, argument });
    expect(answer).toMatchObject({ ok: false, error: { message } });
  });
});

describe('following a resource', () => {
  it('sends updates under the URI that the client gave', async () => {
    const server = serverOf('a', [], { resources: [{ uri: 'todo' }] });
    const { follow, followed } = nativeUnder(undefined, { input: inputOf(server) });
    const updates: JsonObject[] = [];
    await follow('x_a_todo', (params) => updates.push(params));
    followed[0]?.({ uri: 'todo', title: 'Changed' });
    expect(updates).toEqual([{ uri: 'x_a_todo', title: 'Changed' }]);
  });

  it('refuses an unknown resource, and passes on the reason of a server', async () => {
    const uri = 'none://at-all';
    const unknown = errorOf(-32002, 'Resource not found: none://at-all', { uri });
    expect(await nativeUnder().follow(uri)).toEqual(unknown);
    expect(await nativeUnder(undefined, GONE).follow('wiki://home')).toEqual(
      errorOf(-32603, 'Subscription failed: server not connected: wiki'),
    );
  });
});
