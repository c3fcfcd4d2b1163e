import { retryAssertion } from '@gateway/repo-checks';
import {
  startProtectedServer,
  startProvider,
  computeTokenHash,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../../sign-in/gateway-harness.ts';
import { statusOf, whoami } from '../../sign-in/signed-in-user.ts';

let provider: TestProvider;
let notes: ProtectedServer;
let slow: ProtectedServer;
let gateway: SignInGateway;

beforeAll(async () => {
  provider = await startProvider();
});

beforeEach(async () => {
  const trusted = { issuers: [provider.issuer], audiences: ['notes'] };
  notes = await startProtectedServer(trusted);
  slow = await startProtectedServer(trusted);
});

afterEach(async () => {
  await gateway.close();
  await Promise.all([notes.close(), slow.close()]);
});

afterAll(() => provider.close());

const start = async (issuer: object = { forwardable: true }): Promise<void> => {
  const auth = { type: 'oauth', forwardToken: true };
  gateway = await startSignInGateway({
    servers: { notes: { url: notes.url, auth }, slow: { url: slow.url, auth } },
    config: {
      http: { publicUrl: 'https://gateway.test' },
      auth: {
        mode: 'resource-server',
        allowPrivate: true,
        issuers: [{ issuer: provider.issuer, audiences: ['notes'], ...issuer }],
      },
    },
  });
};

const bearerOf = (sub: string, header: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  provider.sign({ sub, aud: 'notes', scope: 'mcp:read' }, header);

const stateOf = async (bearer: string, name: string): Promise<unknown> => {
  const { text } = await gateway.callTool(bearer, 'core_mcpserver_get', { name });
  return (JSON.parse(text) as { readonly state: unknown }).state;
};

describe('the state of a server', () => {
  it('is separate from the sign-ins of users, and is Connected while the server needs no user', async () => {
    notes.setIssuers([]);
    await start();
    const ada = await bearerOf('ada');
    await retryAssertion(async () => {
      expect(await stateOf(ada, 'notes')).toBe('Connected');
      expect(await stateOf(ada, 'slow')).toBe('Auth Required');
    });
    const connected = { status: 'connected', token_forwarding_enabled: true };
    expect(await statusOf(gateway, ada)).toEqual([
      { name: 'notes', ...connected },
      { name: 'slow', ...connected },
    ]);
    const ben = await bearerOf('ben');
    slow.revoke('ada');
    expect((await whoami(gateway, ada, 'slow')).isError).toBe(true);
    expect(await statusOf(gateway, ada)).toMatchObject([
      { name: 'notes', status: 'connected' },
      { name: 'slow', status: 'reauth_required', sso_attempt_failed: true },
    ]);
    expect(await statusOf(gateway, ben)).toMatchObject([connected, connected]);
    expect(await stateOf(ben, 'notes')).toBe('Connected');
  });
});

describe('a bearer', () => {
  it('without the header typ is accepted and forwarded as it is', async () => {
    await start();
    const ada = await bearerOf('ada', { typ: undefined });
    expect((await whoami(gateway, ada, 'notes')).text).toContain('"ada"');
    expect(notes.calls('whoami').map((call) => call.tokenHash)).toEqual([computeTokenHash(ada)]);
  });
});
