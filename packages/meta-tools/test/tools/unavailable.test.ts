import { ANONYMOUS, type CallOutcome } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { callUnscopedTool } from '../../src/index.ts';
import type { LastKnownTools } from '../../src/contract/meta-tool.ts';
import { toAnswer, harnessOf, presetsOf, refusalOf } from '../harness.ts';
import {
  callOf,
  contextOf,
  inputOf,
  listNames,
  nativeHarness,
  serverOf,
} from '../native/native-harness.ts';

const presets = presetsOf({ mails: { include: [{ pattern: 'x_mail_*' }] } });

const member = (name: string) =>
  serverOf(name, ['pods'], { family: { name: 'k8s', instanceArg: 'cluster' } });

const UP = [serverOf('files', ['read']), member('west')];
const DOWN = [serverOf('mail', ['send']), member('east'), serverOf('chat', ['say'])];
const STATES = new Map([
  ['mail', 'Failed'],
  ['east', 'Stopped'],
  ['chat', 'Auth Required'],
]);

const known = (...up: typeof UP): LastKnownTools => ({
  catalog: buildCatalog(inputOf(...up, ...DOWN)),
  findState: (server) => STATES.get(server),
});

const harness = () =>
  harnessOf({
    presets: () => presets,
    snapshotOf: () => buildCatalog(inputOf(...UP)),
    lastKnown: known(...UP),
    signedOut: ['chat'],
  });

const GONE = 'tool "x_mail_send" is not available: server "mail" is Failed';

describe('call_tool of a tool whose server is down', () => {
  it.each([undefined, 'server:mail', 'tool:x_mail_send', 'preset:mails', 'preset:full'])(
    'names the server and its state under %s',
    async (header) => {
      const asked = { harness: harness(), ...(header !== undefined && { header }) };
      expect(await refusalOf('call_tool', { name: 'x_mail_send' }, asked)).toBe(GONE);
      expect([asked.harness.calls, asked.harness.refusals]).toEqual([[], []]);
    },
  );

  it('is refused before it starts', () => {
    const call = { name: 'call_tool', arguments: { name: 'x_mail_send' } };
    const request = { toolsetHeader: ['server:mail'], principal: ANONYMOUS, sessionId: 's1' };
    expect(harness().metaTools.refuseCall(call, request)).toMatchObject({
      content: [{ text: GONE }],
    });
  });

  it('stays outside a toolset that does not select it', async () => {
    const asked = { harness: harness(), header: 'server:files' };
    expect(await refusalOf('call_tool', { name: 'x_mail_send' }, asked)).toBe(
      'tool "x_mail_send" is outside the toolset [server:files]',
    );
    expect(asked.harness.refusals).toHaveLength(1);
  });

  it('does not cover tools that the server did not have', async () => {
    const asked = { harness: harness() };
    expect(await refusalOf('call_tool', { name: 'x_mail_other' }, asked)).toBe(
      'Tool not found: x_mail_other',
    );
    const header = 'server:mail';
    expect(await refusalOf('call_tool', { name: 'x_mail_other' }, { ...asked, header })).toBe(
      'tool "x_mail_other" is outside the toolset [server:mail]',
    );
  });

  it('requires sign-in where that is what is missing', async () => {
    const asked = { harness: harness() };
    expect(await refusalOf('call_tool', { name: 'x_chat_say' }, asked)).toContain(
      'tool "x_chat_say" requires sign-in to server "chat"; ',
    );
  });
});

describe('a family with a member that is down', () => {
  const called = (cluster: string, asked: Parameters<typeof refusalOf>[2]) =>
    refusalOf('call_tool', { name: 'x_k8s_pods', arguments: { cluster } }, asked);

  it('names the member that a call chooses', async () => {
    const asked = { harness: harness(), header: 'server:k8s' };
    expect(await called('east', asked)).toContain(
      'tool "x_k8s_pods" is not available: server "east" is Stopped',
    );
    expect(await called('north', asked)).toContain(
      'tool x_k8s_pods is not available on server "north" (available: west)',
    );
    expect(await toAnswer('describe_tool', { name: 'x_k8s_pods' }, asked)).not.toHaveProperty(
      'available',
    );
  });

  it('is not available when no member is left', async () => {
    const asked = {
      harness: harnessOf({ snapshotOf: () => buildCatalog(inputOf()), lastKnown: known() }),
      header: 'server:east',
    };
    expect(await called('east', asked)).toBe(
      'tool "x_k8s_pods" is not available: server "east" is Stopped',
    );
    expect(await called('other', asked)).toBe(
      'tool "x_k8s_pods" is not available: server "east" is Stopped',
    );
  });
});

describe('describe_tool of a tool whose server is down', () => {
  it('shows the last known entry with a mark', async () => {
    for (const header of [undefined, 'server:mail']) {
      const asked = { harness: harness(), ...(header !== undefined && { header }) };
      expect(await toAnswer('describe_tool', { name: 'x_mail_send' }, asked)).toEqual({
        name: 'x_mail_send',
        description: '',
        server: 'mail',
        kind: 'tool',
        inputSchema: { type: 'object' },
        available: false,
        serverStates: { mail: 'Failed' },
      });
    }
  });

  it('shows the present state each time', async () => {
    const states = new Map(STATES);
    const { catalog } = known(...UP);
    const lastKnown = { catalog, findState: (server: string) => states.get(server) };
    const asked = { harness: harnessOf({ lastKnown }) };
    const shown = () => toAnswer('describe_tool', { name: 'x_mail_send' }, asked);
    expect(await shown()).toMatchObject({ serverStates: { mail: 'Failed' } });
    states.set('mail', 'Starting');
    expect(await shown()).toMatchObject({ serverStates: { mail: 'Starting' } });
  });

  it('answers that it is outside a toolset that does not select it', async () => {
    const asked = { harness: harness(), header: 'server:files' };
    expect(await refusalOf('describe_tool', { name: 'x_mail_send' }, asked)).toBe(
      'tool "x_mail_send" is outside the toolset [server:files]',
    );
    expect(await refusalOf('describe_tool', { name: 'x_mail_other' }, asked)).toBe(
      'Tool not found: x_mail_other',
    );
  });
});

describe('lists while a server is down', () => {
  it.each(['list_tools', 'filter_tools'] as const)('%s does not have its tools', async (name) => {
    expect(JSON.stringify(await toAnswer(name, {}, { harness: harness() }))).not.toContain('mail');
  });
});

describe('a step that calls a tool whose server is down', () => {
  it('fails with the server and its state', async () => {
    const { ports } = harness();
    const step = (name: string, args = {}): Promise<CallOutcome> =>
      callUnscopedTool({ name, arguments: args }, contextOf(), ports);
    expect(await step('x_mail_send')).toEqual({ ok: false, text: GONE });
    expect(await step('x_k8s_pods', { cluster: 'east' })).toEqual({
      ok: false,
      text: 'tool "x_k8s_pods" is not available: server "east" is Stopped',
    });
    expect(await step('x_none')).toEqual({ ok: false, text: 'Tool not found: x_none' });
  });
});

describe('a native call of a tool whose server is down', () => {
  const native = () =>
    nativeHarness({ input: inputOf(...UP), presets: () => presets, lastKnown: known(...UP) });

  it.each(['send', 'x_mail_send'])('names the server and its state: %s', async (name) => {
    for (const header of [undefined, 'server:mail']) {
      const asked = header === undefined ? {} : { header };
      expect(await callOf(native(), 'tools/call', { name }, asked)).toMatchObject({
        ok: true,
        result: {
          content: [{ text: `tool "${name}" is not available: server "mail" is Failed` }],
          isError: true,
        },
      });
    }
  });

  it('stays outside, or unknown, otherwise', async () => {
    const asked = { header: 'server:files' };
    expect(await callOf(native(), 'tools/call', { name: 'send' }, asked)).toMatchObject({
      result: { content: [{ text: 'tool "send" is outside the toolset [server:files]' }] },
    });
    expect(await callOf(native(), 'tools/call', { name: 'other' })).toMatchObject({ ok: false });
    expect(listNames(native(), 'tools/list')).toEqual(['read', 'pods']);
  });
});

describe('a tool of a server that no token may be sent to', () => {
  const withoutTokens = [
    { name: 'agent-manager', labels: { group: 'platform' }, problem: 'spec.url is plain HTTP' },
  ];
  const refusal =
    'tool "x_agent-manager_list" is not available: server "agent-manager" is without tokens: spec.url is plain HTTP';

  it.each([undefined, 'server:agent-manager', 'tool:x_agent-manager_list'])(
    'is refused with the reason under the toolset %s',
    async (header) => {
      const asked = {
        harness: harnessOf({ withoutTokens }),
        ...(header !== undefined && { header }),
      };
      expect(await refusalOf('call_tool', { name: 'x_agent-manager_list' }, asked)).toBe(refusal);
    },
  );

  it('is outside a toolset that does not select it', async () => {
    const asked = { harness: harnessOf({ withoutTokens }), header: 'server:wiki' };
    expect(await refusalOf('call_tool', { name: 'x_agent-manager_list' }, asked)).toBe(
      'tool "x_agent-manager_list" is outside the toolset [server:wiki]',
    );
  });
});
