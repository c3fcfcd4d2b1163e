import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { SignedOutServer } from '../../src/contract/meta-tool.ts';
import { toAnswer, harnessOf, presetsOf, refusalOf, resultOf } from '../harness.ts';
import { nativeHarness } from '../native/native-harness.ts';

const presets = presetsOf({
  mails: { include: [{ pattern: 'x_mail_*' }], exclude: [{ tool: 'x_mail_delete' }] },
  desk: { include: [{ label: 'team=desk' }] },
});

const MAIL: SignedOutServer = { name: 'mail', labels: { team: 'desk' } };
const CHAT: SignedOutServer = { name: 'chat', toolPrefix: 'talk' };
const EAST: SignedOutServer = { name: 'east', family: { name: 'regions', instanceArg: 'region' } };

const LINK = 'https://gateway.example/oauth/proxy/start?state=s';

const harness = () =>
  harnessOf({ presets: () => presets, signedOut: [MAIL, CHAT, EAST], signInLink: LINK });

const requiringAuth = async (toolset: readonly string[], header?: string): Promise<unknown> => {
  const asked = { harness: harness(), ...(header !== undefined && { header }) };
  const answer = (await toAnswer('filter_tools', { toolset }, asked)) as Record<string, unknown>;
  return answer['toolset_requiring_auth'];
};

describe('toolset_requiring_auth of filter_tools', () => {
  it('lists the selectors that name servers that require sign-in', async () => {
    expect(
      await requiringAuth([
        'server:mail',
        'server:nowhere',
        'tool:x_talk_send',
        'tool:x_chat_send',
        'server:regions',
        'tool:x_regions_list',
        'server:files',
      ]),
    ).toEqual(['server:mail', 'tool:x_talk_send', 'server:regions', 'tool:x_regions_list']);
  });

  it('lists presets whose rules name such a server', async () => {
    expect(await requiringAuth(['preset:mails', 'preset:desk', 'preset:none'])).toEqual([
      'preset:mails',
      'preset:desk',
    ]);
  });

  it('does not list a selector that the toolset of the request excludes', async () => {
    expect(await requiringAuth(['server:mail'], 'server:files')).toBeUndefined();
    expect(await requiringAuth(['server:mail'], 'server:files, server:mail')).toEqual([
      'server:mail',
    ]);
  });

  it('lists the selectors of the header when there is no argument', async () => {
    const header = 'server:files, server:mail';
    expect(await toAnswer('filter_tools', {}, { harness: harness(), header })).toMatchObject({
      toolset_requiring_auth: ['server:mail'],
    });
    const unscoped = await toAnswer('filter_tools', {}, { harness: harness() });
    expect(unscoped).not.toHaveProperty('toolset_requiring_auth');
  });

  it('is absent where no server requires sign-in', async () => {
    const answer = await toAnswer('filter_tools', { toolset: ['server:mail'] });
    expect(answer).toMatchObject({ toolset_unmatched: ['server:mail'] });
    expect(answer).not.toHaveProperty('toolset_requiring_auth');
  });
});

describe('a call of a tool of a server that requires sign-in', () => {
  it('answers that sign-in is required, with the link, when the toolset names the tool', async () => {
    const asked = { harness: harness(), header: 'server:mail' };
    expect(await refusalOf('call_tool', { name: 'x_mail_send' }, asked)).toBe(
      `tool "x_mail_send" requires sign-in to server "mail"; open ${LINK} and call the tool again`,
    );
    const { calls, refusals, toolsetRefusals } = asked.harness;
    expect(calls.map(({ port, call }) => [port, call])).toEqual([['signInLink', 'mail']]);
    expect([refusals, toolsetRefusals]).toEqual([[], []]);
  });

  it('names core_auth_login when there is no link', async () => {
    const noLink = harnessOf({ signedOut: [MAIL] });
    const asked = { harness: noLink, header: 'tool:x_mail_send' };
    expect(await refusalOf('call_tool', { name: 'x_mail_send' }, asked)).toBe(
      'tool "x_mail_send" requires sign-in to server "mail"; sign in with core_auth_login(server="mail") and call the tool again',
    );
  });

  it.each([
    ['x_talk_send', 'preset:full', 'chat'],
    ['x_regions_list', 'server:regions', 'east'],
    ['x_mail_send', 'preset:mails', 'mail'],
    ['x_mail_send', 'preset:desk', 'mail'],
  ])('finds the server of %s under %s', async (name, header, server) => {
    expect(await refusalOf('call_tool', { name }, { harness: harness(), header })).toContain(
      `tool "${name}" requires sign-in to server "${server}"; open `,
    );
  });

  it.each([
    ['x_mail_delete', 'preset:mails'],
    ['x_mail_send', 'server:files'],
    ['x_mail_', 'server:mail'],
    ['x_mailer_send', 'server:mail'],
    ['__proto__', 'server:mail'],
  ])('stays outside: %s under %s', async (name, header) => {
    const asked = { harness: harness(), header };
    expect(await refusalOf('call_tool', { name }, asked)).toBe(
      `tool "${name}" is outside the toolset [${header}]`,
    );
    expect(asked.harness.refusals).toHaveLength(1);
  });

  it('is not found without a toolset', async () => {
    const asked = { harness: harness() };
    expect(await refusalOf('call_tool', { name: 'x_mail_send' }, asked)).toBe(
      'Tool not found: x_mail_send',
    );
  });

  it('is refused before it starts, without a link', () => {
    const call = { name: 'call_tool', arguments: { name: 'x_mail_send' } };
    const { metaTools } = harness();
    expect(
      metaTools.refuseCall(call, {
        toolsetHeader: ['server:mail'],
        principal: ANONYMOUS,
        sessionId: 's1',
      }),
    ).toMatchObject({ isError: true });
  });
});

describe('a native call of a tool of a server that requires sign-in', () => {
  const called = (name: string, header: string) => {
    const { surface } = nativeHarness({ signedOut: [MAIL], signInLink: LINK });
    return surface.call({
      method: 'tools/call',
      params: { name },
      toolsetHeader: [header],
      context: {
        principal: { key: 'ada', subject: 'ada' },
        sessionId: undefined,
        signal: new AbortController().signal,
      },
    });
  };

  it('answers that sign-in is required, with the link', async () => {
    expect(await called('x_mail_send', 'server:mail')).toEqual({
      ok: true,
      result: {
        content: [
          {
            type: 'text',
            text: `tool "x_mail_send" requires sign-in to server "mail"; open ${LINK} and call the tool again`,
          },
        ],
        isError: true,
      },
    });
  });

  it('stays outside a toolset that does not name it', async () => {
    expect(await called('x_mail_send', 'server:files')).toMatchObject({
      result: {
        content: [{ text: 'tool "x_mail_send" is outside the toolset [server:files]' }],
      },
    });
  });
});

describe('servers_requiring_auth of list_tools', () => {
  it('tells a first sign-in from a repeated one', async () => {
    const signedOut: readonly SignedOutServer[] = [
      { name: 'mail' },
      { name: 'chat', status: 'reauth_required' },
    ];
    const result = await resultOf('list_tools', {}, { harness: harnessOf({ signedOut }) });
    expect(JSON.stringify(result)).toContain(
      JSON.stringify(
        JSON.stringify([
          { name: 'chat', status: 'reauth_required', auth_tool: 'core_auth_login' },
          { name: 'mail', status: 'auth_required', auth_tool: 'core_auth_login' },
        ]),
      ).slice(1, -1),
    );
  });
});
