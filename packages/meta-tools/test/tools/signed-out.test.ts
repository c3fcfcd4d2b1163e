import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { SignedOutServer } from '../../src/contract/meta-tool.ts';
import { outside, presetsOf, under } from '../harness.ts';
import { callOf, nativeHarness } from '../native/native-harness.ts';

const presets = presetsOf({
  mails: { include: [{ pattern: 'x_mail_*' }], exclude: [{ tool: 'x_mail_delete' }] },
  desk: { include: [{ label: 'team=desk' }] },
});

const MAIL: SignedOutServer = { name: 'mail', labels: { team: 'desk' } };
const CHAT: SignedOutServer = { name: 'chat', toolPrefix: 'talk' };
const EAST: SignedOutServer = { name: 'east', family: { name: 'regions', instanceArg: 'region' } };

const LINK = 'https://gateway.example/oauth/proxy/start?state=s';
const SIGN_IN = `tool "x_mail_send" requires sign-in to server "mail"; open ${LINK} and call the tool again`;

/** Requests while three servers require sign-in. */
const signedOut = (header?: string) =>
  under(header, { presets: () => presets, signedOut: [MAIL, CHAT, EAST], signInLink: LINK });

describe('toolset_requiring_auth of filter_tools', () => {
  const filtered = async (header?: string, toolset?: readonly string[]): Promise<unknown> =>
    ((await signedOut(header).filter({ toolset })) as Record<string, unknown>)[
      'toolset_requiring_auth'
    ];

  it('lists the selectors that name servers that require sign-in', async () => {
    const chat = ['tool:x_talk_send', 'tool:x_chat_send'];
    const regions = ['server:regions', 'tool:x_regions_list'];
    const toolset = ['server:mail', 'server:nowhere', ...chat, ...regions, 'server:files'];
    expect(await filtered(undefined, toolset)).toEqual([
      ...['server:mail', 'tool:x_talk_send', ...regions],
    ]);
  });

  it.each([
    [
      'presets whose rules name such a server',
      undefined,
      ['preset:mails', 'preset:desk', 'preset:none'],
      ['preset:mails', 'preset:desk'],
    ],
    ['no selector that the request excludes', 'server:files', ['server:mail'], undefined],
    ['a selector of both', 'server:files, server:mail', ['server:mail'], ['server:mail']],
    [
      'those of the header without an argument',
      'server:files, server:mail',
      undefined,
      ['server:mail'],
    ],
    ['none without a toolset', undefined, undefined, undefined],
  ])('lists %s', async (_, header, toolset, expected) => {
    expect(await filtered(header, toolset)).toEqual(expected);
  });

  it('is absent where no server requires sign-in', async () => {
    const answer = await under().filter({ toolset: ['server:mail'] });
    expect(answer).toMatchObject({ toolset_unmatched: ['server:mail'] });
    expect(answer).not.toHaveProperty('toolset_requiring_auth');
  });
});

describe('a call of a tool of a server that requires sign-in', () => {
  it('answers that sign-in is required, with the link, when the toolset names the tool', async () => {
    const { refusedCall, calls, harness } = signedOut('server:mail');
    expect(await refusedCall('x_mail_send')).toBe(SIGN_IN);
    expect(calls()).toEqual([['signInLink', 'mail']]);
    expect([harness.refusals, harness.toolsetRefusals]).toEqual([[], []]);
  });

  it('names core_auth_login when there is no link', async () => {
    const { refusedCall } = under('tool:x_mail_send', { signedOut: [MAIL] });
    expect(await refusedCall('x_mail_send')).toBe(
      'tool "x_mail_send" requires sign-in to server "mail"; sign in with core_auth_login(server="mail") and call the tool again',
    );
  });

  it.each([
    ['x_talk_send', 'preset:full', 'chat'],
    ['x_regions_list', 'server:regions', 'east'],
    ['x_mail_send', 'preset:mails', 'mail'],
    ['x_mail_send', 'preset:desk', 'mail'],
  ])('finds the server of %s under %s', async (name, header, server) => {
    expect(await signedOut(header).refusedCall(name)).toContain(
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
    const { refusedCall, harness } = signedOut(header);
    expect(await refusedCall(name)).toBe(outside(`tool "${name}"`, header));
    expect(harness.refusals).toHaveLength(1);
  });

  it('is not found without a toolset', async () => {
    expect(await signedOut().refusedCall('x_mail_send')).toBe('Tool not found: x_mail_send');
  });

  it('is refused before it starts, without a link', () => {
    const { harness, calls } = signedOut();
    const call = { name: 'call_tool', arguments: { name: 'x_mail_send' } };
    const request = { toolsetHeader: ['server:mail'], principal: ANONYMOUS, sessionId: 's1' };
    expect(harness.metaTools.refuseCall(call, request)).toMatchObject({ isError: true });
    expect(calls()).toEqual([]);
  });

  it.each([
    ['server:mail', SIGN_IN],
    ['server:files', outside('tool "x_mail_send"', 'server:files')],
  ])('is refused as a native call under %s, too', async (header, text) => {
    const native = nativeHarness({ signedOut: [MAIL], signInLink: LINK });
    expect(await callOf(native, 'tools/call', { name: 'x_mail_send' }, { header })).toEqual({
      ok: true,
      result: { content: [{ type: 'text', text }], isError: true },
    });
  });
});
