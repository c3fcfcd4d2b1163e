import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { Principal } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { eventually, testDownstream, viewOf } from './harness/downstream.ts';
import { MODERN } from './harness/modern.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';

const ada = user('ada');
const bob = user('bob');

const call = (downstream: Downstream, principal: Principal): Promise<DownstreamOutcome> =>
  downstream.callTool(
    { server: 'notes', tool: 'result', arguments: { result: { fine: 1 } } },
    { principal },
  );

const started = async (tokens: readonly string[], options = {}) => {
  const http = await startProtectedHttp(tokens, options);
  const credentials = testCredentials();
  const { downstream, log } = testDownstream({ credentials });
  downstream.apply([oauthServer('notes', http.url)]);
  await downstream.settled();
  return { http, credentials, downstream, log };
};

const toolsOf = (downstream: Downstream, principal: Principal): readonly string[] =>
  (downstream.inventoriesFor(principal) ?? []).flatMap(({ tools }) =>
    tools.map(({ name }) => name),
  );

const eras = [
  ['2025-11-25', { protocolVersion: '2025-11-25' }],
  ['2026-07-28', MODERN],
] as const;

describe.each(eras)('a user who signed in to a server of revision %s', (_revision, options) => {
  it('has a connection with the own token; nobody else has it', async () => {
    const { http, credentials, downstream } = await started(['ada-1', 'bob-1'], options);
    expect(viewOf(downstream, 'notes').state).toBe('Auth Required');
    expect(downstream.findState('notes')).toBe('Auth Required');
    expect(downstream.findState('other')).toBeUndefined();
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    expect(toolsOf(downstream, ada)).toEqual(['tool_0', 'tool_1', 'tool_2']);
    expect(downstream.inventoriesFor(bob)).toBeUndefined();
    expect(downstream.inventoriesFor(ANONYMOUS)).toBeUndefined();
    expect(await call(downstream, ada)).toEqual({
      ok: true,
      result: { fine: 1 },
    });
    expect(await call(downstream, bob)).toEqual({
      ok: false,
      error: {
        code: 'server.auth-required',
        server: 'notes',
        reason: 'the user has not signed in',
      },
    });
    expect(viewOf(downstream, 'notes').state).toBe('Auth Required');
    expect(new Set(http.used.filter(Boolean))).toEqual(new Set(['ada-1']));
  });

  it('uses a changed token for the next request, without another connection', async () => {
    const { http, credentials, downstream } = await started(['ada-1'], options);
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    const handshakes = (): number =>
      http.mcp.seen.filter(({ method }) => /^(?:initialize|server\/discover)$/.test(method)).length;
    const before = handshakes();
    http.tokens.add('ada-2').delete('ada-1');
    credentials.refresh('notes', ada, 'ada-2');
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    // The stream of the connection may have been opened with the first token a moment ago.
    expect(http.used).toContain('ada-2');
    expect(handshakes()).toBe(before);
  });

  it('has a refused request repeated once with a renewed token', async () => {
    const { http, credentials, downstream } = await started(['ada-1'], options);
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
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
    const { http, credentials, downstream } = await started(['ada-1', 'bob-1'], options);
    credentials.signIn('notes', ada, 'ada-1');
    credentials.signIn('notes', bob, 'bob-1');
    await Promise.all([downstream.prepare(ada), downstream.prepare(bob)]);
    http.tokens.delete('ada-1');
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason: 'it has ended' });
    const refused = {
      ok: false,
      error: { code: 'server.auth-required', server: 'notes', reason: 'it has ended' },
    };
    expect(await call(downstream, ada)).toEqual(refused);
    expect(toolsOf(downstream, ada)).toHaveLength(3);
    expect(downstream.userServers(ada)).toEqual([
      {
        server: 'notes',
        kind: 'oauth',
        status: 'reauth_required',
        reason: 'it has ended',
        toolsCount: 3,
      },
    ]);
    expect(await call(downstream, bob)).toMatchObject({ ok: true });
    expect(downstream.userServers(bob)).toMatchObject([{ status: 'connected' }]);
  });

  it('loses the tools with the sign-out', async () => {
    const { credentials, downstream } = await started(['ada-1'], options);
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    credentials.signOut('notes', ada);
    await eventually('the tools are hidden', () => downstream.inventoriesFor(ada) === undefined);
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'auth_required', toolsCount: 0 }]);
    expect(await call(downstream, ada)).toMatchObject({ error: { code: 'server.auth-required' } });
  });

  it('is told about the sign-out by the calls that it ends', async () => {
    const { http, credentials, downstream } = await started(['ada-1'], options);
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    const call = { server: 'notes', tool: 'hang', arguments: {} };
    const hanging = downstream.callTool(call, { principal: ada });
    await eventually('it runs', () =>
      http.mcp.seen.some(({ params }) => JSON.stringify(params ?? {}).includes('"hang"')),
    );
    credentials.signOut('notes', ada);
    const reason = 'the user has not signed in';
    const error = { code: 'server.auth-required', server: 'notes', reason };
    expect(await hanging).toEqual({ ok: false, error });
  });
});
