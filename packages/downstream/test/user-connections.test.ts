import type { Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import type { UserPolicy } from '../src/connections/policy.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { eventually, testDownstream, untilState } from './harness/downstream.ts';
import { MODERN } from './harness/modern.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import type { ProtectedHttp } from './harness/protected-http.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const ada = user('ada');
const bob = user('bob');

const started = async (policy: Partial<UserPolicy> = {}, options = {}) => {
  const http = await startProtectedHttp(['ada-1', 'bob-1'], options);
  const credentials = testCredentials();
  const { downstream } = testDownstream({ credentials, users: policy });
  downstream.apply([oauthServer('notes', http.url)]);
  await downstream.settled();
  return { http, credentials, downstream };
};

const call = (
  downstream: Downstream,
  principal: Principal,
  tool = 'result',
  args: object = { result: { fine: 1 } },
): Promise<DownstreamOutcome> =>
  downstream.callTool({ server: 'notes', tool, arguments: { ...args } }, { principal });

const handshakes = ({ mcp }: ProtectedHttp): number =>
  mcp.seen.filter(({ method }) => method === 'initialize').length;

const toolsOf = (downstream: Downstream, principal: Principal): readonly string[] =>
  (downstream.inventoriesFor(principal) ?? []).flatMap(({ tools }) =>
    tools.map(({ name }) => name),
  );

describe('the lists of users', () => {
  it('are one object for all who see the same', async () => {
    const { credentials, downstream } = await started();
    credentials.signIn('notes', ada, 'ada-1');
    credentials.signIn('notes', bob, 'bob-1');
    await Promise.all([downstream.prepare(ada), downstream.prepare(bob)]);
    expect(downstream.inventoriesFor(ada)).toBe(downstream.inventoriesFor(bob));
  });

  it('change for the user alone whose connection announces it', async () => {
    const { credentials, downstream } = await started({}, { events: true });
    credentials.signIn('notes', ada, 'ada-1');
    credentials.signIn('notes', bob, 'bob-1');
    await Promise.all([downstream.prepare(ada), downstream.prepare(bob)]);
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
    const { http, credentials, downstream } = await started({ idleMs: 1 });
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    await eventually('a call needs another connection', async () => {
      expect(await call(downstream, ada)).toMatchObject({ ok: true });
      expect(toolsOf(downstream, ada)).toHaveLength(3);
      return handshakes(http) > 1;
    });
  });

  it('is closed for that of another user beyond the maximum, but not while it is in use', async () => {
    const { http, credentials, downstream } = await started({ maxConnections: 1 });
    credentials.signIn('notes', ada, 'ada-1');
    credentials.signIn('notes', bob, 'bob-1');
    await downstream.prepare(ada);
    await downstream.prepare(bob);
    expect(toolsOf(downstream, bob)).toHaveLength(3);
    const hanging = call(downstream, bob, 'hang');
    await eventually('it runs', () =>
      http.mcp.seen.some(({ params }) => JSON.stringify(params ?? {}).includes('"hang"')),
    );
    expect(await call(downstream, ada)).toEqual({
      ok: false,
      error: {
        code: 'server.connection-lost',
        server: 'notes',
        reason: 'too many connections of users are in use',
      },
    });
    credentials.signOut('notes', bob);
    expect(await hanging).toMatchObject({ ok: false });
    await eventually('ada is served', async () => (await call(downstream, ada)).ok);
  });

  it('is opened again after the server restarted, with the same definitions', async () => {
    const { http, credentials, downstream } = await started({ callRetryMs: 1 });
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    await http.close();
    expect(await call(downstream, ada)).toMatchObject({
      error: { code: 'server.connection-lost' },
    });
    expect(toolsOf(downstream, ada)).toHaveLength(3);
    await startRawHttp({ port: http.port });
    await eventually('ada is served', async () => (await call(downstream, ada)).ok);
  });

  it('ends with its server, and with another address of it', async () => {
    const { credentials, downstream } = await started();
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    const other = await startProtectedHttp(['ada-1'], { tools: 1 });
    downstream.apply([oauthServer('notes', other.url)]);
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    expect(other.used).toContain('ada-1');
    expect(toolsOf(downstream, ada)).toEqual(['tool_0']);
    downstream.apply([]);
    expect(toolsOf(downstream, ada)).toEqual([]);
    expect(downstream.userServers(ada)).toEqual([]);
    expect(await call(downstream, ada)).toMatchObject({ error: { code: 'server.unknown' } });
  });

  it('ends while its server is stopped', async () => {
    const { credentials, downstream } = await started();
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    await downstream.stop('notes');
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'disconnected' }]);
    expect(downstream.inventoriesFor(ada)).toBeUndefined();
    expect(await call(downstream, ada)).toMatchObject({ error: { code: 'server.not-connected' } });
    expect(await downstream.start('notes')).toMatchObject({ code: 'auth-required' });
    await downstream.prepare(ada);
    expect(toolsOf(downstream, ada)).toHaveLength(3);
  });

  it('has a request repeated once after 403 insufficient_scope, and no other 403', async () => {
    const { http, credentials, downstream } = await started({}, MODERN);
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    http.tokens.add('ada-wide');
    let challenge = 'Bearer error="insufficient_scope", scope="write"';
    http.also = ({ headers }, response) => {
      const isEnough = headers.authorization === 'Bearer ada-wide';
      if (headers['mcp-method'] !== 'tools/call' || isEnough) return false;
      response.writeHead(403, { 'www-authenticate': challenge }).end('no');
      return true;
    };
    credentials.onRejected = ({ status }) => {
      expect(status).toBe(403);
      return { ok: true, credential: { authorization: 'Bearer ada-wide', id: 'wide' } };
    };
    expect(await call(downstream, ada)).toMatchObject({ ok: true });
    expect(credentials.rejections).toHaveLength(1);
    challenge = 'Bearer';
    expect(await call(downstream, ada)).toMatchObject({
      error: { code: 'server.connection-lost', reason: 'HTTP 403' },
    });
    expect(credentials.rejections).toHaveLength(1);
  });

  it('asks for one renewal when the server refuses the renewed token too', async () => {
    const { http, credentials, downstream } = await started();
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    http.tokens.clear();
    let renewals = 0;
    credentials.onRejected = () => {
      renewals += 1;
      credentials.refresh('notes', ada, `ada-${renewals + 1}`);
      const token = `ada-${renewals + 1}`;
      return { ok: true, credential: { authorization: `Bearer ${token}`, id: `id of ${token}` } };
    };
    for (let calls = 0; calls < 10; calls += 1)
      expect(await call(downstream, ada)).toMatchObject({
        error: { code: 'server.auth-required', reason: 'the server refuses the sign-in' },
      });
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
    expect(handshakes(http)).toBe(1);
    expect(downstream.userServers(ada)).toMatchObject([{ kind: 'sso', status: 'connected' }]);
    expect(downstream.prepare(ada)).toBeUndefined();
  });

  it('does not wait longer than its bound', async () => {
    const { http, credentials, downstream } = await started({ prepareMs: 50 });
    http.also = () => true;
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    expect(downstream.inventoriesFor(ada)).toBeUndefined();
  });

  it('tries a server again that hung, also when the attempt ends after the preparation', async () => {
    const http = await startProtectedHttp(['ada-1']);
    const credentials = testCredentials();
    const { downstream } = testDownstream({
      credentials,
      users: { prepareMs: 50, retryWaitMs: 50, retryMs: 50 },
    });
    downstream.apply([oauthServer('notes', http.url, { timeout: 1 })]);
    await downstream.settled();
    http.also = () => true;
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    await eventually('the attempt has ended', () =>
      Promise.resolve(downstream.userServers(ada)[0]?.status === 'failed'),
    );
    http.also = undefined;
    await eventually('it is due', async () => {
      await downstream.prepare(ada);
      return toolsOf(downstream, ada).length === 3;
    });
  });

  it('delays no request for a server that hangs again', async () => {
    const bounds = { retryMs: 1, maxRetryMs: 1, retryWaitMs: 10, prepareMs: 60_000 };
    const { http, credentials, downstream } = await started(bounds);
    http.also = (_request, response) => {
      response.writeHead(500).end();
      return true;
    };
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
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
    const { http, credentials, downstream } = await started({ retryMs: 50, maxRetryMs: 50 });
    http.also = (_request, response) => {
      response.writeHead(500).end();
      return true;
    };
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'failed' }]);
    http.also = undefined;
    await eventually('it is due', async () => {
      await downstream.prepare(ada);
      return toolsOf(downstream, ada).length === 3;
    });
  });
});

it('a server without a sign-in that demands one is signed in to by each user', async () => {
  const http = await startProtectedHttp(['ada-1']);
  const credentials = testCredentials();
  credentials.kinds.set('notes', 'shared');
  const { downstream } = testDownstream({ credentials });
  const server = { type: 'streamable-http', url: http.url, auth: { type: 'none' } };
  downstream.apply([defineServer('notes', server)]);
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
