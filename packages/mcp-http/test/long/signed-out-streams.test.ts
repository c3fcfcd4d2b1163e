import type { AuthenticationOutcome } from '@gateway/call-contract';
import { expect, it } from 'vitest';
import { start } from '../endpoint.ts';
import { readEvents } from '../event-reader.ts';
import { as, user, SIGNED_IN } from '../principals.ts';
import { listening } from '../wire-client.ts';

const REVOKED: AuthenticationOutcome = {
  ok: false,
  status: 401,
  sentence: 'Sign in first.',
  challenge: 'Bearer',
};
const AWAY: AuthenticationOutcome = {
  ok: false,
  status: 503,
  sentence: 'The issuer does not answer.',
};

it('streams of a user end when the token is revoked, and those of others do not', async () => {
  const states = new Map<string, AuthenticationOutcome>();
  const endpoint = await start({
    ...SIGNED_IN,
    legacySse: true,
    authenticate: ({ headers }) => {
      const name = headers.authorization?.replace(/^Bearer /, '') ?? '';
      return Promise.resolve(states.get(name) ?? { ok: true, principal: user(name) });
    },
  });
  const openStreams = async (name: string) => {
    const session = await endpoint.startSession({ headers: as(name) });
    const { headers, body } = listening({ toolsListChanged: true });
    return Promise.all([
      endpoint.readEvents({ ...as(name), ...session }),
      endpoint.readEvents({ ...as(name), ...headers }, body),
      readEvents(endpoint.url.replace('/mcp', '/sse'), as(name)),
    ]);
  };
  const signedOut = await openStreams('mallory');
  const others = [...(await openStreams('alice')), ...(await openStreams('bob'))];
  expect(signedOut.map(({ status }) => status)).toEqual([200, 200, 200]);
  states.set('mallory', REVOKED);
  states.set('bob', AWAY);
  await Promise.all(signedOut.map((stream) => stream.ended()));
  expect(others.map((stream) => stream.hasEnded())).toEqual(others.map(() => false));
});
