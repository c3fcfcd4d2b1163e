import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import type { SignInGateway } from '../../sign-in/gateway-harness.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { statusOf, walk, whoami } from '../../sign-in/signed-in-user.ts';

const scene = useNotes();
let gateway: SignInGateway;

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
    gateway = await scene.start();
    await walk(gateway, 'ada', 'notes');
    expect((await whoami(gateway, 'ada', 'notes')).text).toContain('"ada"');
    const before = scene.provider.count('/token');
    scene.provider.revokeUser('ada');
    scene.notes.revoke('ada');
    const refused = await whoami(gateway, 'ada', 'notes');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(ENDED);
    await retryAssertion(async () => {
      expect(await statusOf(gateway, 'ada')).toEqual([
        {
          name: 'notes',
          status: 'reauth_required',
          issuer: scene.provider.issuer,
          scope: 'mcp offline_access',
          auth_tool: 'core_auth_login',
          error: ENDED,
        },
      ]);
    });
    const later = await whoami(gateway, 'ada', 'notes');
    expect([later.isError, later.text]).toEqual([true, NOT_AUTHENTICATED]);
    expect(scene.provider.count('/token')).toBe(before + 1);
    await signInAgain('ada');
  });
});
