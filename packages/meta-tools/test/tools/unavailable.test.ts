import { ANONYMOUS } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { callUnscopedTool } from '../../src/index.ts';
import type { LastKnownTools } from '../../src/contract/meta-tool.ts';
import { outside, presetsOf, under } from '../harness.ts';
import {
  callOf,
  contextOf,
  inputOf,
  listNames,
  nativeHarness,
  serverOf,
  snapshotOf,
} from '../native/native-harness.ts';

const presets = presetsOf({ mails: { include: [{ pattern: 'x_mail_*' }] } });

const member = (name: string) =>
  serverOf(name, ['pods'], { family: { name: 'k8s', instanceArg: 'cluster' } });

const UP = [serverOf('files', ['read']), member('west')];
const DOWN = [serverOf('mail', ['send']), member('east'), serverOf('chat', ['say'])];
const states = () =>
  new Map([
    ['mail', 'Failed'],
    ['east', 'Stopped'],
    ['chat', 'Auth Required'],
  ]);

const known = (up = UP, stateOf = states()): LastKnownTools => ({
  catalog: buildCatalog(inputOf(...up, ...DOWN)),
  findState: (server) => stateOf.get(server),
});

/** Requests while servers are down. */
const down = (header?: string, { up = UP, lastKnown = known(up) } = {}) =>
  under(header, {
    presets: () => presets,
    snapshotOf: () => snapshotOf(...up),
    lastKnown,
    signedOut: ['chat'],
  });

const GONE = 'tool "x_mail_send" is not available: server "mail" is Failed';
const EAST_GONE = 'tool "x_k8s_pods" is not available: server "east" is Stopped';
const TOOLSETS = [undefined, 'server:mail', 'tool:x_mail_send', 'preset:mails', 'preset:full'];

describe('call_tool of a tool whose server is down', () => {
  it.each(TOOLSETS)('names the server and its state under %s', async (header) => {
    const { refusedCall, calls, harness } = down(header);
    expect(await refusedCall('x_mail_send')).toBe(GONE);
    expect([calls(), harness.refusals]).toEqual([[], []]);
  });

  it('is refused before it starts', () => {
    const call = { name: 'call_tool', arguments: { name: 'x_mail_send' } };
    const request = { toolsetHeader: ['server:mail'], principal: ANONYMOUS, sessionId: 's1' };
    const refused = { content: [{ text: GONE }] };
    expect(down().harness.metaTools.refuseCall(call, request)).toMatchObject(refused);
  });

  it('stays outside a toolset that does not select it', async () => {
    const { refusedCall, harness } = down('server:files');
    const text = outside('tool "x_mail_send"', 'server:files');
    expect(await refusedCall('x_mail_send')).toBe(text);
    expect(harness.refusals).toHaveLength(1);
  });

  it('does not cover tools that the server did not have', async () => {
    expect(await down().refusedCall('x_mail_other')).toBe('Tool not found: x_mail_other');
    expect(await down('server:mail').refusedCall('x_mail_other')).toBe(
      outside('tool "x_mail_other"', 'server:mail'),
    );
  });

  it('requires sign-in where that is what is missing', async () => {
    expect(await down().refusedCall('x_chat_say')).toContain(
      'tool "x_chat_say" requires sign-in to server "chat"; ',
    );
  });
});

describe('a family with a member that is down', () => {
  it('names the member that a call chooses', async () => {
    const { refusedCall, describe: shown } = down('server:k8s');
    expect(await refusedCall('x_k8s_pods', { cluster: 'east' })).toContain(EAST_GONE);
    expect(await refusedCall('x_k8s_pods', { cluster: 'north' })).toContain(
      'tool x_k8s_pods is not available on server "north" (available: west)',
    );
    expect(await shown('x_k8s_pods')).not.toHaveProperty('available');
  });

  it.each(['east', 'other'])('is not available when no member is left: %s', async (cluster) => {
    const { refusedCall } = down('server:east', { up: [] });
    expect(await refusedCall('x_k8s_pods', { cluster })).toBe(EAST_GONE);
  });
});

describe('describe_tool of a tool whose server is down', () => {
  it.each([undefined, 'server:mail'])('shows the last known entry under %s', async (header) => {
    expect(await down(header).describe('x_mail_send')).toEqual({
      name: 'x_mail_send',
      description: '',
      server: 'mail',
      kind: 'tool',
      inputSchema: { type: 'object' },
      available: false,
      serverStates: { mail: 'Failed' },
    });
  });

  it('shows the present state each time', async () => {
    const current = states();
    const { describe: shown } = down(undefined, { lastKnown: known(UP, current) });
    for (const mail of ['Failed', 'Starting']) {
      current.set('mail', mail);
      expect(await shown('x_mail_send')).toMatchObject({ serverStates: { mail } });
    }
  });

  it('answers that it is outside a toolset that does not select it', async () => {
    const { refusal } = down('server:files');
    const text = outside('tool "x_mail_send"', 'server:files');
    expect(await refusal('describe_tool', { name: 'x_mail_send' })).toBe(text);
    expect(await refusal('describe_tool', { name: 'x_mail_other' })).toBe(
      'Tool not found: x_mail_other',
    );
  });
});

it.each(['list_tools', 'filter_tools'] as const)(
  '%s does not have the tools of a server that is down',
  async (name) => {
    expect(JSON.stringify(await down().answer(name, {}))).not.toContain('mail');
  },
);

it.each([
  ['x_mail_send', {}, GONE],
  ['x_k8s_pods', { cluster: 'east' }, EAST_GONE],
  ['x_none', {}, 'Tool not found: x_none'],
])('a step that calls %s fails with the server and its state', async (name, args, text) => {
  const step = callUnscopedTool({ name, arguments: args }, contextOf(), down().harness.ports);
  expect(await step).toEqual({ ok: false, text });
});

describe('a native call of a tool whose server is down', () => {
  const native = () =>
    nativeHarness({ input: inputOf(...UP), presets: () => presets, lastKnown: known() });
  const refused = (text: string) => ({ ok: true, result: { content: [{ text }], isError: true } });

  it.each(['send', 'x_mail_send'])('names the server and its state: %s', async (name) => {
    for (const asked of [{}, { header: 'server:mail' }])
      expect(await callOf(native(), 'tools/call', { name }, asked)).toMatchObject(
        refused(`tool "${name}" is not available: server "mail" is Failed`),
      );
  });

  it('stays outside, or unknown, otherwise', async () => {
    const asked = { header: 'server:files' };
    expect(await callOf(native(), 'tools/call', { name: 'send' }, asked)).toMatchObject(
      refused(outside('tool "send"', 'server:files')),
    );
    expect(await callOf(native(), 'tools/call', { name: 'other' })).toMatchObject({ ok: false });
    expect(listNames(native(), 'tools/list')).toEqual(['read', 'pods']);
  });
});

describe('a tool of a server that no token may be sent to', () => {
  const name = 'x_agent-manager_list';
  const withoutTokens = [
    { name: 'agent-manager', labels: { group: 'platform' }, problem: 'spec.url is plain HTTP' },
  ];
  const text = `tool "${name}" is not available: server "agent-manager" is without tokens: spec.url is plain HTTP`;

  it.each([
    [undefined, text],
    ['server:agent-manager', text],
    [`tool:${name}`, text],
    ['server:wiki', outside(`tool "${name}"`, 'server:wiki')],
  ])('is refused with the reason under %s, if this selects it', async (header, refusal) => {
    expect(await under(header, { withoutTokens }).refusedCall(name)).toBe(refusal);
  });
});
