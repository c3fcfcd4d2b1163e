import type { Principal } from '@gateway/call-contract';
import { defineRequirements } from '@gateway/repo-checks';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Downstream } from '../../src/index.ts';
import { user, testCredentials } from '../harness/credentials.ts';
import type { TestCredentials } from '../harness/credentials.ts';
import { running } from '../harness/downstream.ts';
import { MODERN } from '../harness/modern.ts';
import { oauthServer, startProtectedHttp } from '../harness/protected-http.ts';
import type { ProtectedHttp } from '../harness/protected-http.ts';
import { requirements } from '../../spec.requirements.ts';

const requirement = defineRequirements(requirements);

const USERS = 50;

/** One step of one user. */
type HistoryStep = readonly [
  who: number,
  what: 'call' | 'refresh' | 'revoke' | 'sign-out' | 'sign-in',
];

const step = fc.tuple(
  fc.nat(USERS - 1),
  fc.constantFrom('call', 'call', 'call', 'refresh', 'revoke', 'sign-out', 'sign-in' as const),
) as fc.Arbitrary<HistoryStep>;

/** What the server received: the token, the tool of a modern call, and the session. */
type Received = readonly [
  token: string,
  tool: string | string[] | undefined,
  session: string | string[] | undefined,
];

interface World {
  readonly http: ProtectedHttp;
  readonly credentials: TestCredentials;
  readonly downstream: Downstream;
  readonly received: Received[];
  /** The number of the last token of each user. */
  readonly turns: number[];
}

const tokenOf = (who: number, turn: number): string => `token-${who}-${turn}`;
const ownerOf = (token: string): string => token.split('-')[1] ?? '';

const newToken = ({ http, turns }: World, who: number): string => {
  turns[who] = (turns[who] ?? 0) + 1;
  const token = tokenOf(who, turns[who]);
  http.tokens.add(token);
  return token;
};

const call = async ({ downstream }: World, who: number): Promise<boolean> => {
  const outcome = await downstream.callTool(
    { server: 'notes', tool: `of-${who}`, arguments: { who } },
    { principal: user(`p${who}`) },
  );
  if (outcome.ok) expect(outcome.result).toMatchObject({ params: { arguments: { who } } });
  // A sign-out ends the running calls of its user.
  else expect(outcome.error.code).toMatch(/^server[.](?:auth-required|connection-lost)$/);
  return outcome.ok;
};

/** Runs one step; only a call takes time. */
const run = async (world: World, [who, what]: HistoryStep): Promise<void> => {
  const { http, credentials, turns } = world;
  const principal = user(`p${who}`);
  switch (what) {
    case 'call':
      await call(world, who);
      break;
    case 'refresh':
      credentials.refresh('notes', principal, newToken(world, who));
      break;
    case 'revoke':
      http.tokens.delete(tokenOf(who, turns[who] ?? 0));
      break;
    case 'sign-out':
      credentials.signOut('notes', principal);
      break;
    case 'sign-in':
      credentials.signIn('notes', principal, newToken(world, who));
  }
};

const users: readonly Principal[] = Array.from({ length: USERS }, (_, who) => user(`p${who}`));

const newWorld = async (options: object): Promise<World> => {
  const callable = Object.fromEntries(
    users.map((_, who) => [`of-${who}`, (params: unknown) => ({ content: [], params })]),
  );
  const http = await startProtectedHttp([], { callable, ...options });
  const received: Received[] = [];
  http.also = ({ headers }, response) => {
    const { authorization = '', 'mcp-name': tool, 'mcp-session-id': session } = headers;
    received.push([authorization.replace('Bearer ', ''), tool, session]);
    // Every 2025 client gets a session of its own.
    if (session === undefined && tool === undefined)
      response.setHeader('mcp-session-id', randomUUID());
    return false;
  };
  const credentials = testCredentials();
  const servers = [oauthServer('notes', http.url)];
  const { downstream } = await running(servers, { credentials, users: { callRetryMs: 1 } });
  return { http, credentials, downstream, received, turns: [] };
};

const checkReceived = ({ received }: World): void => {
  const owners = new Map<unknown, string>();
  for (const [token, tool, session] of received) {
    if (tool !== undefined) expect(tool).toBe(`of-${ownerOf(token)}`);
    if (session === undefined) continue;
    expect(owners.get(session) ?? ownerOf(token)).toBe(ownerOf(token));
    owners.set(session, ownerOf(token));
  }
};

requirement('2.6/auth-state-per-user', () => {
  it.each([
    ['2025-11-25', { protocolVersion: '2025-11-25' }],
    ['2026-07-28', MODERN],
  ])('no request of %s carries the token of another user', async (_revision, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 200 }), async (plan) => {
        const world = await newWorld(options);
        for (let who = 0; who < USERS; who += 1) await run(world, [who, 'sign-in']);
        await Promise.all(users.map(async (principal) => world.downstream.prepare(principal)));
        await Promise.all(plan.map((one) => run(world, one)));
        for (let who = 0; who < USERS; who += 1) await run(world, [who, 'sign-in']);
        const answered = await Promise.all(users.map((_, who) => call(world, who)));
        expect(answered).not.toContain(false);
        checkReceived(world);
        expect(world.received.length).toBeGreaterThan(USERS);
        expect(world.downstream.servers()).toMatchObject([{ state: 'Auth Required' }]);
        await world.downstream.close();
        await world.http.close();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
