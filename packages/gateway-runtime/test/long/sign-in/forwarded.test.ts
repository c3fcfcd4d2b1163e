import { retryAssertion } from '@gateway/repo-checks';
import { startProtectedServer, startProvider, computeTokenHash } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { closeAtEnd, startSignInGateway, withCallersOf } from '../../sign-in/gateway-harness.ts';

/** A gateway that forwards the bearers of its callers to two servers. */
const start = async (isOpen = false) => {
  const provider = await closeAtEnd(startProvider());
  const { issuer } = provider;
  const trusted = { issuers: [issuer], audiences: ['notes'] };
  const notes = await closeAtEnd(startProtectedServer(trusted));
  const slow = await closeAtEnd(startProtectedServer(trusted));
  if (isOpen) notes.setIssuers([]);
  const auth = { type: 'oauth', forwardToken: true };
  const gateway = await startSignInGateway({
    servers: { notes: { url: notes.url, auth }, slow: { url: slow.url, auth } },
    config: withCallersOf({ issuer, audiences: ['notes'], forwardable: true }),
  });
  const createBearer = (sub: string, header: Readonly<Record<string, unknown>> = {}) =>
    provider.sign({ sub, aud: 'notes', scope: 'mcp:read' }, header);
  return { ...gateway, notes, slow, createBearer };
};

it('the state of a server is separate from the sign-ins of users, and is Connected while the server needs no user', async () => {
  const { callTool, whoami, readStatus, slow, createBearer } = await start(true);
  const stateOf = async (bearer: string, name: string): Promise<unknown> => {
    const { text } = await callTool(bearer, 'core_mcpserver_get', { name });
    return (JSON.parse(text) as { readonly state: unknown }).state;
  };
  const ada = await createBearer('ada');
  await retryAssertion(async () => {
    expect(await stateOf(ada, 'notes')).toBe('Connected');
    expect(await stateOf(ada, 'slow')).toBe('Auth Required');
  });
  const connected = { status: 'connected', token_forwarding_enabled: true };
  const both = [
    { name: 'notes', ...connected },
    { name: 'slow', ...connected },
  ];
  expect(await readStatus(ada)).toEqual(both);
  const ben = await createBearer('ben');
  slow.revoke('ada');
  expect((await whoami(ada, 'slow')).isError).toBe(true);
  expect(await readStatus(ada)).toMatchObject([
    { name: 'notes', status: 'connected' },
    { name: 'slow', status: 'reauth_required', sso_attempt_failed: true },
  ]);
  expect(await readStatus(ben)).toMatchObject(both);
  expect(await stateOf(ben, 'notes')).toBe('Connected');
});

it('a bearer without the header typ is accepted and forwarded as it is', async () => {
  const { notes, whoami, createBearer } = await start();
  const ada = await createBearer('ada', { typ: undefined });
  expect((await whoami(ada, 'notes')).text).toContain('"ada"');
  expect(notes.calls('whoami').map((call) => call.tokenHash)).toEqual([computeTokenHash(ada)]);
});

it('a server that does not answer is sso_pending after 15 seconds, while another one is connected, and failed when the attempt ends', async () => {
  const { slow, createBearer, listTools, readStatus, whoami } = await start();
  const ben = await createBearer('ben');
  expect(await listTools(ben)).toContain('x_slow_whoami');
  slow.setFault(() => 'hang');
  const ada = await createBearer('ada');
  const before = performance.now();
  const tools = await listTools(ada);
  expect(performance.now() - before).toBeGreaterThan(14_000);
  expect(tools).toContain('x_notes_whoami');
  expect(tools).not.toContain('x_slow_whoami');
  const notes = { name: 'notes', status: 'connected' };
  expect(await readStatus(ada)).toEqual([
    { ...notes, token_forwarding_enabled: true },
    { name: 'slow', status: 'sso_pending', token_forwarding_enabled: true },
  ]);
  expect(await readStatus(ben)).toMatchObject([notes, { status: 'connected' }]);
  const failed = { name: 'slow', status: 'failed', sso_attempt_failed: true };
  await expect.poll(() => readStatus(ada)).toMatchObject([notes, failed]);
  expect((await whoami(ada, 'notes')).text).toContain('"ada"');
});
