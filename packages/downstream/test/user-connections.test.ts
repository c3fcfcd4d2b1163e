import { describe, expect, it } from 'vitest';
import type { UserPolicy } from '../src/connections/policy.ts';
import { testCredentials } from './harness/credentials.ts';
import { eventually, failed, running, testDownstream, untilState } from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { MODERN } from './harness/modern.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { respond, startRawHttp } from './harness/raw-http.ts';
import type { RawHttpOptions } from './harness/raw-http.ts';
import { ada, bob, callNotes as call, startNotes, toolsOf } from './harness/user-server.ts';

const started = (users: Partial<UserPolicy> = {}, http: RawHttpOptions = {}) =>
  startNotes(http, { users });

describe('the lists of users', () => {
  it('are one object for all who see the same', async () => {
    const { signIn, downstream } = await started();
    await signIn(ada, bob);
    expect(downstream.inventoriesFor(ada)).toBe(downstream.inventoriesFor(bob));
  });

  it('change for the user alone whose connection announces it', async () => {
    const { signIn, downstream } = await started({}, { events: true });
    await signIn(ada, bob);
    const changes: unknown[] = [];
    downstream.onChange((changedFor) =>
      changes.push(changedFor === 'all' ? 'all' : [...changedFor]),
    );
    const tools = [{ name: 'renamed', inputSchema: { type: 'object' } }];
    expect(await call(downstream, ada, 'rename', { tools })).toMatchObject({ ok: true });
    await eventually('the list of ada changed', () => toolsOf(downstream, ada).includes('renamed'));
    expect(toolsOf(downstream, bob)).toEqual(['tool_0', 'tool_1', 'tool_2']);
    expect(changes).toEqual([[ada.key]]);
  });
});

describe('a connection of a user', () => {
  it('is closed when it was not used for a while, and opened again for the next call', async () => {
    const { http, signIn, downstream } = await started({ idleMs: 1 });
    await signIn(ada);
    await eventually('a call needs another connection', async () => {
      expect(await call(downstream, ada)).toMatchObject({ ok: true });
      expect(toolsOf(downstream, ada)).toHaveLength(3);
      return http.count('initialize') > 1;
    });
  });

  it('is closed for that of another user beyond the maximum, but not while it is in use', async () => {
    const { http, credentials, signIn, downstream } = await started({ maxConnections: 1 });
    await signIn(ada);
    await signIn(bob);
    expect(toolsOf(downstream, bob)).toHaveLength(3);
    const hanging = call(downstream, bob, 'hang');
    await eventually('it runs', () =>
      http.mcp.seen.some(({ params }) => JSON.stringify(params ?? {}).includes('"hang"')),
    );
    const reason = 'too many connections of users are in use';
    const lost = failed('server.connection-lost', { reason }, 'notes');
    expect(await call(downstream, ada)).toEqual(lost);
    credentials.signOut('notes', bob);
    expect(await hanging).toMatchObject({ ok: false });
    await eventually('ada is served', async () => (await call(downstream, ada)).ok);
  });

  it('is opened again after the server restarted, with the same definitions', async () => {
    const { http, signIn, downstream } = await started({ callRetryMs: 1 });
    await signIn(ada);
    await http.close();
    const lost = { error: { code: 'server.connection-lost' } };
    expect(await call(downstream, ada)).toMatchObject(lost);
    expect(toolsOf(downstream, ada)).toHaveLength(3);
    await startRawHttp({ port: http.port });
    await eventually('ada is served', async () => (await call(downstream, ada)).ok);
  });

  it('ends with its server, and with another address of it', async () => {
    const { signIn, downstream } = await started();
    await signIn(ada);
    const other = await startProtectedHttp(['ada-1'], { tools: 1 });
    downstream.apply([oauthServer('notes', other.url)]);
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    expect(other.used).toContain('ada-1');
    expect(toolsOf(downstream, ada)).toEqual(['tool_0']);
    downstream.apply([]);
    expect([toolsOf(downstream, ada), downstream.userServers(ada)]).toEqual([[], []]);
    expect(await call(downstream, ada)).toMatchObject({ error: { code: 'server.unknown' } });
  });

  it('ends while its server is stopped', async () => {
    const { signIn, downstream } = await started();
    await signIn(ada);
    await downstream.stop('notes');
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'disconnected' }]);
    expect(downstream.inventoriesFor(ada)).toBeUndefined();
    expect(await call(downstream, ada)).toMatchObject({ error: { code: 'server.not-connected' } });
    expect(await downstream.start('notes')).toMatchObject({ code: 'auth-required' });
    await downstream.prepare(ada);
    expect(toolsOf(downstream, ada)).toHaveLength(3);
  });

  it('has a request repeated once after 403 insufficient_scope, and no other 403', async () => {
    const { http, credentials, signIn, downstream } = await started({}, MODERN);
    await signIn(ada);
    http.tokens.add('ada-wide');
    let challenge = 'Bearer error="insufficient_scope", scope="write"';
    http.also = (request, response) => {
      const { authorization, 'mcp-method': method } = request.headers;
      if (method !== 'tools/call' || authorization === 'Bearer ada-wide') return false;
      return respond(403, 'no', { 'www-authenticate': challenge })(request, response);
    };
    credentials.onRejected = ({ status }) => {
      expect(status).toBe(403);
      return { ok: true, credential: { authorization: 'Bearer ada-wide', id: 'wide' } };
    };
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    challenge = 'Bearer';
    const lost = failed('server.connection-lost', { reason: 'HTTP 403' }, 'notes');
    expect(await call(downstream, ada)).toEqual(lost);
    expect(credentials.rejections).toHaveLength(1);
  });

  it('asks for one renewal when the server refuses the renewed token too', async () => {
    const { http, credentials, signIn, downstream } = await started();
    await signIn(ada);
    http.tokens.clear();
    let renewals = 0;
    credentials.onRejected = () => {
      renewals += 1;
      const token = `ada-${renewals + 1}`;
      credentials.refresh('notes', ada, token);
      return { ok: true, credential: { authorization: `Bearer ${token}`, id: `id of ${token}` } };
    };
    const reason = 'the server refuses the sign-in';
    for (let calls = 0; calls < 10; calls += 1)
      expect(await call(downstream, ada)).toEqual(
        failed('server.auth-required', { reason }, 'notes'),
      );
    expect(renewals).toBe(1);
  });
});

describe('the preparation of a user', () => {
  it('connects servers without a sign-in of their own, in parallel and once', async () => {
    const { http, credentials, downstream } = await started();
    credentials.kinds.set('notes', 'sso');
    downstream.apply([oauthServer('notes', http.url, { description: 'changed' })]);
    credentials.refresh('notes', ada, 'ada-1');
    const runs = [downstream.prepare(ada), downstream.prepare(ada)];
    expect(runs[0]).toBeInstanceOf(Promise);
    expect(runs[0]).toBe(runs[1]);
    await runs[0];
    expect(http.count('initialize')).toBe(1);
    expect(downstream.userServers(ada)).toMatchObject([{ kind: 'sso', status: 'connected' }]);
    expect(downstream.prepare(ada)).toBeUndefined();
  });

  it('does not wait longer than its bound', async () => {
    const { http, signIn, downstream } = await started({ prepareMs: 50 });
    http.also = () => true;
    await signIn(ada);
    expect(downstream.inventoriesFor(ada)).toBeUndefined();
  });

  const untilServed = (downstream: Awaited<ReturnType<typeof started>>['downstream']) =>
    eventually('it is due', async () => {
      await downstream.prepare(ada);
      return toolsOf(downstream, ada).length === 3;
    });

  it('tries a server again that hung, also when the attempt ends after the preparation', async () => {
    const users = { prepareMs: 50, retryWaitMs: 50, retryMs: 50 };
    const { http, signIn, downstream } = await startNotes({}, { users }, { timeout: 1 });
    http.also = () => true;
    await signIn(ada);
    const status = () => downstream.userServers(ada)[0]?.status;
    await eventually('the attempt has ended', () => status() === 'failed');
    http.also = undefined;
    await untilServed(downstream);
  });

  it('delays no request for a server that hangs again', async () => {
    const bounds = { retryMs: 1, maxRetryMs: 1, retryWaitMs: 10, prepareMs: 60_000 };
    const { http, signIn, downstream } = await started(bounds);
    http.also = respond(500);
    await signIn(ada);
    const before = http.used.length;
    http.also = () => true;
    await eventually('it is tried again', async () => {
      await downstream.prepare(ada);
      return http.used.length > before;
    });
    const startedAt = performance.now();
    await downstream.prepare(ada);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('tries a server that failed again after the pause', async () => {
    const { http, signIn, downstream } = await started({ retryMs: 50, maxRetryMs: 50 });
    http.also = respond(500);
    await signIn(ada);
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'failed' }]);
    http.also = undefined;
    await untilServed(downstream);
  });
});

it('a server without a sign-in that demands one is signed in to by each user', async () => {
  const http = await startProtectedHttp(['ada-1']);
  const credentials = testCredentials();
  credentials.kinds.set('notes', 'shared');
  const { downstream } = testDownstream({ credentials });
  downstream.apply([remote(http.url, { auth: { type: 'none' } }, 'notes')]);
  await untilState(downstream, 'notes', 'Auth Required');
  credentials.signIn('notes', ada, 'ada-1');
  await downstream.prepare(ada);
  expect(downstream.userServers(ada)).toMatchObject([{ kind: 'oauth', status: 'connected' }]);
  expect(await call(downstream, ada)).toMatchObject({ ok: true });
  http.setIntercept(undefined);
  await untilState(downstream, 'notes', 'Connected');
  expect(downstream.userServers(ada)).toEqual([]);
  expect(await call(downstream, bob)).toMatchObject({ ok: true });
});

const PROBLEM = 'tokens are not sent over plain HTTP to "tools.example"';

it('gives a server that no token may be sent to the condition TokensAllowed, and no other server', async () => {
  const { url } = await startProtectedHttp([]);
  const tokenProblem = (server: { readonly metadata: { readonly name: string } }) =>
    server.metadata.name === 'plain' ? PROBLEM : undefined;
  const credentials = { ...testCredentials(), tokenProblem };
  const servers = [oauthServer('plain', url), oauthServer('fine', url)];
  const { downstream } = await running(servers, { credentials });
  const conditions = downstream
    .servers()
    .map(({ status }) => status.conditions.find(({ type }) => type === 'TokensAllowed'));
  expect(conditions).toEqual([
    undefined,
    {
      type: 'TokensAllowed',
      status: 'False',
      reason: 'PlainHttp',
      message: PROBLEM,
      lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as unknown,
    },
  ]);
});
