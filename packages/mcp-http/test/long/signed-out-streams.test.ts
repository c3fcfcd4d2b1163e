import type { AuthenticationOutcome } from '@gateway/call-contract';
import { afterEach, expect, it } from 'vitest';
import { readEvents } from '../event-reader.ts';
import { interactiveEndpoints } from '../interactive-endpoint.ts';
import { as, user, SIGNED_IN } from '../principals.ts';
import { ENVELOPE, post, rpc } from '../wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const REVOKED: AuthenticationOutcome = {
  ...{ ok: false, status: 401, sentence: 'Sign in first.' },
  challenge: 'Bearer',
};
const AWAY: AuthenticationOutcome = {
  ok: false,
  status: 503,
  sentence: 'The issuer does not answer.',
};

it('streams of a user end when the token is revoked, and those of others do not', async () => {
  const states = new Map<string, AuthenticationOutcome>();
  const { url, port } = await start({
    ...SIGNED_IN,
    legacySse: true,
    authenticate: ({ headers }) => {
      const name = headers.authorization?.replace(/^Bearer /, '') ?? '';
      return Promise.resolve(states.get(name) ?? { ok: true, principal: user(name) });
    },
  });
  const openStreams = async (name: string) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    const opened = await post(url, rpc('initialize', params), as(name));
    const session = {
      'mcp-session-id': String(opened.headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    };
    const listen = {
      method: 'POST' as const,
      headers: {
        ...as(name),
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: rpc('subscriptions/listen', {
        notifications: { toolsListChanged: true },
        _meta: ENVELOPE,
      }),
    };
    return Promise.all([
      readEvents(url, { headers: { ...as(name), ...session } }),
      readEvents(url, listen),
      readEvents(`http://127.0.0.1:${port}/sse`, { headers: as(name) }),
    ]);
  };
  const [signedOut, staying, unknown] = await Promise.all(
    ['mallory', 'alice', 'bob'].map(openStreams),
  );
  expect(signedOut?.map(({ status }) => status)).toEqual([200, 200, 200]);
  states.set('mallory', REVOKED);
  states.set('bob', AWAY);
  await Promise.all((signedOut ?? []).map((stream) => stream.ended()));
  const others = [...(staying ?? []), ...(unknown ?? [])];
  expect(others.map((stream) => stream.hasEnded())).toEqual(others.map(() => false));
  for (const stream of others) stream.cut();
});
