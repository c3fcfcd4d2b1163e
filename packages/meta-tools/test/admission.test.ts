import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { CallMethod } from '@gateway/mcp-wire';
import { harnessOf, META_TOOL_NAMES, presetsOf } from './harness.ts';
import {
  contextOf,
  errorOf,
  failedTool,
  nativeHarness,
  underHeader,
  type NativeHarness,
} from './native/native-harness.ts';
import { requirement } from './requirement.ts';

const MALFORMED =
  'toolset [files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>';

const CALLS = [
  ['call_tool', { name: 'x_wiki_search', arguments: {} }, 'tool "x_wiki_search"'],
  ['call_tool', { name: 'workflow_deploy' }, 'tool "workflow_deploy"'],
  ['call_tool', { name: '__proto__' }, 'tool "__proto__"'],
  ['get_resource', { uri: 'wiki://home' }, 'resource "wiki://home"'],
  ['get_prompt', { name: 'x_wiki_summary' }, 'prompt "x_wiki_summary"'],
] as const;

describe('refuseCall of the meta-tools', () => {
  it.each(CALLS)(
    'refuses %s of %o under a toolset without it, with the answer of the call',
    async (name, args, what) => {
      const { metaTools, calls } = harnessOf();
      const refused = metaTools.refuseCall({ name, arguments: args }, underHeader('server:files'));
      const text = `${what} is outside the toolset [server:files]`;
      expect(refused).toEqual(failedTool(text).result);
      const request = { name, arguments: args, toolsetHeader: ['server:files'] };
      expect(await metaTools.call({ ...request, context: contextOf() })).toEqual(refused);
      expect(calls).toEqual([]);
    },
  );

  it.each(['server:wiki,workflow:deploy', undefined])('admits them under %s', (header) => {
    const { metaTools, refusals, toolsetRefusals } = harnessOf();
    const known = CALLS.filter(([, args]) => !('name' in args) || args.name !== '__proto__');
    for (const [name, args] of known)
      expect(metaTools.refuseCall({ name, arguments: args }, underHeader(header))).toBeUndefined();
    expect([refusals, toolsetRefusals]).toEqual([[], []]);
  });

  it('logs a refused tool once, with the session', () => {
    const { metaTools, refusals, toolsetRefusals } = harnessOf();
    const call = { name: 'call_tool', arguments: { name: 'x_wiki_search' } };
    metaTools.refuseCall(call, underHeader('server:files'));
    expect(refusals).toEqual([{ tool: 'x_wiki_search', toolset: '[server:files]', session: 's1' }]);
    expect(toolsetRefusals).toEqual(['outside']);
  });
});

requirement('7.1/error-results', () => {
  it('refuses each meta-tool under a malformed toolset before a call continues', () => {
    const { metaTools } = harnessOf();
    for (const name of META_TOOL_NAMES)
      expect(metaTools.refuseCall({ name, arguments: {} }, underHeader('files'))).toEqual(
        failedTool(MALFORMED).result,
      );
  });

  it.each([
    ['files', MALFORMED],
    ['', 'toolset [] is empty; use "preset:none" for an agent without tools'],
  ])('refuses a request under [%s] whatever it requests', (header, message) => {
    const error = { code: -32602, message };
    expect(harnessOf().metaTools.refuseToolset(underHeader(header))).toEqual(error);
    expect(nativeHarness().surface.refuseToolset(underHeader(header))).toEqual(error);
  });

  it.each(['server:files', 'preset:none', undefined])('accepts a request under %s', (header) => {
    expect(harnessOf().metaTools.refuseToolset(underHeader(header))).toBeUndefined();
    expect(nativeHarness().surface.refuseToolset(underHeader(header))).toBeUndefined();
  });
});

type NamedNativeCall = readonly [method: CallMethod, params: JsonObject, name: string];

const NATIVE_CALLS: readonly NamedNativeCall[] = [
  ['tools/call', { name: 'search' }, 'tool "search"'],
  ['resources/read', { uri: 'wiki://home' }, 'resource "wiki://home"'],
  ['prompts/get', { name: 'summary' }, 'prompt "summary"'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'summary' }, argument: { name: 'a', value: '' } },
    'prompt "summary"',
  ],
];

const nativeRefusal = (harness: NativeHarness, at: NamedNativeCall, header?: string) =>
  harness.surface.refuseCall({ method: at[0], params: at[1] }, underHeader(header));

requirement('4.2/native-calls', () => {
  it.each(NATIVE_CALLS)('%s of %o does not continue under a toolset without it', (...call) => {
    const harness = nativeHarness();
    const text = `${call[2]} is outside the toolset [server:files]`;
    expect(nativeRefusal(harness, call, 'server:files')).toEqual(
      call[0] === 'tools/call' ? failedTool(text) : errorOf(-32602, text),
    );
    expect(nativeRefusal(harness, call, 'server:wiki')).toBeUndefined();
    expect(nativeRefusal(harness, call)).toBeUndefined();
    expect(harness.calls).toEqual([]);
  });

  it('sends the updates of a resource as long as the toolset of its subscription selects it', async () => {
    const received: unknown[] = [];
    let presets = harnessOf().ports.presets();
    const harness = nativeHarness({ presets: () => presets });
    const subscribe = (header: string | undefined) => {
      const onUpdated = (params: JsonObject) => received.push([header, params]);
      return harness.surface.subscribe('file:///readme', onUpdated, underHeader(header));
    };
    for (const header of ['preset:full', 'preset:team', undefined]) await subscribe(header);
    const update = (): void => {
      for (const notify of harness.followed) notify({ uri: 'own' });
    };
    update();
    const params = { uri: 'file:///readme' };
    expect(received.splice(0)).toEqual([
      ['preset:full', params],
      ['preset:team', params],
      [undefined, params],
    ]);
    presets = presetsOf({ team: { include: [{ server: 'wiki' }] } });
    update();
    expect(received).toEqual([
      ['preset:full', params],
      [undefined, params],
    ]);
    expect(harness.toolsetRefusals).toEqual([]);
  });
});
