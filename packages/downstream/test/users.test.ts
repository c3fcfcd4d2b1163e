import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { eventually, failed, viewOf } from './harness/downstream.ts';
import { MODERN } from './harness/modern.ts';
import { ada, bob, callNotes as call, startNotes, toolsOf } from './harness/user-server.ts';

const refused = (reason: string) => failed('server.auth-required', { reason }, 'notes');
const fine = { ok: true, result: { fine: 1 } };

describe.each([
  ['2025-11-25', { protocolVersion: '2025-11-25' }],
  ['2026-07-28', MODERN],
] as const)('a user who signed in to a server of revision %s', (_revision, options) => {
  it('has a connection with the own token; nobody else has it', async () => {
    const { http, signIn, downstream } = await startNotes(options);
    expect(viewOf(downstream, 'notes').state).toBe('Auth Required');
    expect(downstream.findState('notes')).toBe('Auth Required');
    expect(downstream.findState('other')).toBeUndefined();
    await signIn(ada);
    expect(toolsOf(downstream, ada)).toEqual(['tool_0', 'tool_1', 'tool_2']);
    expect(downstream.inventoriesFor(bob)).toBeUndefined();
    expect(downstream.inventoriesFor(ANONYMOUS)).toBeUndefined();
    expect(await call(downstream, ada)).toEqual(fine);
    expect(await call(downstream, bob)).toEqual(refused('the user has not signed in'));
    expect(viewOf(downstream, 'notes').state).toBe('Auth Required');
    expect(new Set(http.used.filter(Boolean))).toEqual(new Set(['ada-1']));
  });

  it('uses a changed token for the next request, without another connection', async () => {
    const { http, credentials, signIn, downstream } = await startNotes(options);
    await signIn(ada);
    const handshakes = (): number => http.count('initialize') + http.count('server/discover');
    const before = handshakes();
    http.tokens.add('ada-2').delete('ada-1');
    credentials.refresh('notes', ada, 'ada-2');
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    // The stream of the connection may have been opened with the first token a moment ago.
    expect(http.used).toContain('ada-2');
    expect(handshakes()).toBe(before);
  });

  it('has a refused request repeated once with a renewed token', async () => {
    const { http, credentials, signIn, downstream } = await startNotes(options);
    await signIn(ada);
    http.tokens.add('ada-2').delete('ada-1');
    http.challenge = 'Bearer error="invalid_token"';
    credentials.onRejected = () => {
      credentials.refresh('notes', ada, 'ada-2');
      return { ok: true, credential: { authorization: 'Bearer ada-2', id: 'id of ada-2' } };
    };
    const calls = await Promise.all(Array.from({ length: 10 }, () => call(downstream, ada)));
    expect(calls.every(({ ok }) => ok)).toBe(true);
    expect(credentials.rejections).toEqual([
      {
        server: 'notes',
        subject: 'ada',
        status: 401,
        challenge: 'Bearer error="invalid_token"',
        credential: { authorization: 'Bearer ada-1', id: 'id of ada-1' },
      },
    ]);
  });

  it('is asked to sign in again when the token has ended, and keeps the definitions', async () => {
    const { http, credentials, signIn, downstream } = await startNotes(options);
    await signIn(ada, bob);
    http.tokens.delete('ada-1');
    const reason = 'it has ended';
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason });
    expect(await call(downstream, ada)).toEqual(refused(reason));
    expect(toolsOf(downstream, ada)).toHaveLength(3);
    expect(downstream.userServers(ada)).toEqual([
      { server: 'notes', kind: 'oauth', status: 'reauth_required', reason, toolsCount: 3 },
    ]);
    expect(await call(downstream, bob)).toMatchObject({ ok: true });
    expect(downstream.userServers(bob)).toMatchObject([{ status: 'connected' }]);
  });

  it('loses the tools with the sign-out, about which the calls that it ends are told', async () => {
    const { http, credentials, signIn, downstream } = await startNotes(options);
    await signIn(ada);
    const hanging = call(downstream, ada, 'hang');
    await eventually('it runs', () =>
      http.mcp.seen.some(({ params }) => JSON.stringify(params ?? {}).includes('"hang"')),
    );
    credentials.signOut('notes', ada);
    expect(await hanging).toEqual(refused('the user has not signed in'));
    await eventually('the tools are hidden', () => downstream.inventoriesFor(ada) === undefined);
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'auth_required', toolsCount: 0 }]);
    expect(await call(downstream, ada)).toEqual(refused('the user has not signed in'));
  });
});
