import { retryAssertion } from '@gateway/repo-checks';
import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../../sign-in/gateway-harness.ts';
import { movedClock } from '../../sign-in/moved-clock.ts';
import { statusOf, toolsOf, walk, whoami } from '../../sign-in/signed-in-user.ts';

let provider: TestProvider;
let notes: ProtectedServer;
let gateway: SignInGateway;

beforeAll(async () => {
  provider = await startProvider({ accessTokenSeconds: 600 });
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
});

afterEach(() => gateway.close());

afterAll(async () => {
  await Promise.all([notes.close(), provider.close()]);
});

const start = async (): Promise<void> => {
  gateway = await startSignInGateway({
    servers: { notes: { url: notes.url, auth: { type: 'oauth' } } },
    hasCallers: true,
  });
};

const ENDED =
  'The sign-in to server "notes" has ended: its authorization server answered invalid_grant. Sign in again.';

const NOT_AUTHENTICATED = `Tool execution failed: user not authenticated to server notes: ${ENDED}`;

const signInAgain = async (user: string): Promise<void> => {
  const challenge = await gateway.callTool(user, 'core_auth_login', { server: 'notes' });
  expect(challenge.text).toContain(`Status: ${ENDED}\n`);
  await walk(gateway, user, 'notes');
  await retryAssertion(async () => {
    expect((await whoami(gateway, user, 'notes')).text).toContain(`"${user}"`);
  });
  expect(await statusOf(gateway, user)).toMatchObject([{ name: 'notes', status: 'connected' }]);
};

describe('a sign-in that the provider revoked', () => {
  it('is reported by the call whose token the server refuses, and by auth://status, until the user signs in again', async () => {
    await start();
    await walk(gateway, 'ada', 'notes');
    expect((await whoami(gateway, 'ada', 'notes')).text).toContain('"ada"');
    const before = provider.count('/token');
    provider.revokeUser('ada');
    notes.revoke('ada');
    const refused = await whoami(gateway, 'ada', 'notes');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(ENDED);
    await retryAssertion(async () => {
      expect(await statusOf(gateway, 'ada')).toEqual([
        {
          name: 'notes',
          status: 'reauth_required',
          issuer: provider.issuer,
          scope: 'mcp offline_access',
          auth_tool: 'core_auth_login',
          error: ENDED,
        },
      ]);
    });
    const later = await whoami(gateway, 'ada', 'notes');
    expect([later.isError, later.text]).toEqual([true, NOT_AUTHENTICATED]);
    expect(provider.count('/token')).toBe(before + 1);
    await signInAgain('ada');
  });

  it('is reported by the refresh of a token that expires', async () => {
    const move = movedClock();
    await start();
    await walk(gateway, 'ben', 'notes');
    const before = provider.count('/token');
    provider.revokeUser('ben');
    expect((await whoami(gateway, 'ben', 'notes')).isError).toBe(false);
    move(601);
    const refused = await whoami(gateway, 'ben', 'notes');
    expect([refused.isError, refused.text]).toEqual([true, NOT_AUTHENTICATED]);
    await retryAssertion(async () => {
      expect(await statusOf(gateway, 'ben')).toMatchObject([
        { name: 'notes', status: 'reauth_required', auth_tool: 'core_auth_login', error: ENDED },
      ]);
    });
    for (let time = 0; time < 5; time += 1) {
      move(60);
      expect((await whoami(gateway, 'ben', 'notes')).isError).toBe(true);
    }
    expect(provider.count('/token')).toBe(before + 1);
    await signInAgain('ben');
  });

  it('of one user does not concern another user', async () => {
    await start();
    for (const user of ['cleo', 'dora']) await walk(gateway, user, 'notes');
    provider.revokeUser('cleo');
    notes.revoke('cleo');
    expect((await whoami(gateway, 'cleo', 'notes')).isError).toBe(true);
    expect((await whoami(gateway, 'dora', 'notes')).text).toContain('"dora"');
    expect(await statusOf(gateway, 'dora')).toMatchObject([{ status: 'connected' }]);
    expect(await toolsOf(gateway, 'dora')).toContain('x_notes_whoami');
  });

  it('lists the server among those that require a sign-in', async () => {
    await start();
    await walk(gateway, 'elsa', 'notes');
    const requiring = async (): Promise<unknown> =>
      (JSON.parse((await gateway.call('elsa', 'list_tools')).text) as Record<string, unknown>)[
        'servers_requiring_auth'
      ];
    expect(await requiring()).toBeUndefined();
    provider.revokeUser('elsa');
    notes.revoke('elsa');
    await whoami(gateway, 'elsa', 'notes');
    await retryAssertion(async () => {
      expect(await requiring()).toMatchObject([
        { name: 'notes', status: 'auth_required', auth_tool: 'core_auth_login' },
      ]);
    });
  });
});
