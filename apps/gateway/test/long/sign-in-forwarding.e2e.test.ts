import { retryAssertion } from '@gateway/repo-checks';
import { startProtectedServer, type ProtectedServer } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { ask, callTool, textOf, toolNames } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { brokerToken } from '../harness/broker-token.ts';
import { startGateway } from '../harness/gateway.ts';
import { closing, testDirectory } from '../harness/lifetime.ts';

interface ServerStatus {
  readonly name: string;
  readonly status: string;
  readonly error?: string;
}

const statusOf = async (client: TestClient, server: string): Promise<ServerStatus | undefined> => {
  const args = { uri: 'auth://status' };
  const [content] = await ask<readonly { readonly text: string }[]>(client, 'get_resource', args);
  const { servers } = JSON.parse(content?.text ?? '') as {
    readonly servers: readonly ServerStatus[];
  };
  return servers.find(({ name }) => name === server);
};

/** A server that accepts the ID tokens of an issuer with an audience. */
const serverFor = (issuer: string, audience: string): Promise<ProtectedServer> =>
  closing(startProtectedServer({ issuers: [issuer], audiences: [audience] }));

/** A gateway with the servers `notes`, `clusters` and `stranger`, which trusts another issuer; `late` is not configured. */
const started = async (options: Parameters<typeof startBrokerProvider>[0] = {}) => {
  const audiences = ['kubernetes', 'late'];
  const { provider, port } = await startBrokerProvider({ audiences, ...options });
  const [notes, clusters, late, stranger] = await Promise.all([
    serverFor(provider.issuer, 'gateway'),
    serverFor(provider.issuer, 'kubernetes'),
    serverFor(provider.issuer, 'late'),
    serverFor('http://127.0.0.1:9', 'gateway'),
  ]);
  const directory = testDirectory();
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  const addServer = (name: string, { url }: ProtectedServer, ...requiredAudiences: string[]) => {
    const auth = { forwardToken: true, requiredAudiences };
    directory.server(name, { type: 'streamable-http', url, autoStart: true, auth });
  };
  addServer('notes', notes);
  addServer('clusters', clusters, 'kubernetes');
  addServer('stranger', stranger);
  const { url } = await startGateway(directory.path, { args: ['--port', String(port)] });
  const clientOf = async (user: string): Promise<TestClient> =>
    connect(url, { authorization: `Bearer ${await brokerToken(url, user)}` });
  return { provider, notes, late, addServer, clientOf };
};

const whoami = (client: TestClient, server: string) => callTool(client, `x_${server}_whoami`);

describe('servers with forwardToken', () => {
  it('connect independently after one sign-in, complete in the first list of tools', async () => {
    const { clientOf } = await started();
    const alice = await clientOf('alice');
    const names = await toolNames(alice);
    expect(names).toEqual(expect.arrayContaining(['x_notes_whoami', 'x_clusters_whoami']));
    expect(names).not.toContain('x_stranger_whoami');
    expect(textOf(await whoami(alice, 'notes'))).toContain('"alice"');
    expect(textOf(await whoami(alice, 'clusters'))).toContain('"alice"');
    expect(await statusOf(alice, 'notes')).toEqual({
      name: 'notes',
      status: 'connected',
      token_forwarding_enabled: true,
    });
    expect(await statusOf(alice, 'stranger')).toMatchObject({
      status: 'reauth_required',
      sso_attempt_failed: true,
    });
  });

  it('of an audience that was added later require one more sign-in, and no restart', async () => {
    const { clientOf, addServer, late } = await started();
    const before = await clientOf('alice');
    expect(await toolNames(before)).toContain('x_notes_whoami');
    addServer('late', late, 'late');
    await retryAssertion(async () => {
      expect(await statusOf(before, 'late')).toMatchObject({
        status: 'reauth_required',
        error:
          'your sign-in to the gateway has no token for the audience "late", which the server requires; sign in to the gateway again',
      });
    });
    expect(await toolNames(before)).not.toContain('x_late_whoami');
    const after = await clientOf('alice');
    expect(await toolNames(after)).toContain('x_late_whoami');
    expect(textOf(await whoami(after, 'late'))).toContain('"alice"');
    expect(textOf(await whoami(before, 'late'))).toContain('"alice"');
    expect(textOf(await whoami(before, 'notes'))).toContain('"alice"');
  });

  it('get a refreshed ID token, while the user notices nothing', async () => {
    const { clientOf, provider, notes } = await started({ idTokenSeconds: 3 });
    const alice = await clientOf('alice');
    // A token that expires before a call is replaced without having been in one.
    const tokens = () => new Set(notes.calls('whoami').map(({ tokenHash }) => tokenHash));
    await retryAssertion(async () => {
      expect(textOf(await whoami(alice, 'notes'))).toContain('"alice"');
      expect(tokens().size).toBeGreaterThanOrEqual(3);
    });
    expect(provider.count('/token', { grant_type: 'refresh_token' })).toBeGreaterThanOrEqual(2);
    await retryAssertion(async () => {
      expect(await statusOf(alice, 'notes')).toMatchObject({ status: 'connected' });
    });
  });
});
