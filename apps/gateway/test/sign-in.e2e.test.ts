import {
  createTestConfigDirectory,
  retryAssertion,
  type ConfigDirectory,
} from '@gateway/repo-checks';
import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { callTool, serverInfo, textOf, toolNames } from './harness/answers.ts';
import { connect, STDIO_CLIENTS, type TestClient } from './harness/clients.ts';
import { startGateway, stdioCommand, type RunningGateway } from './harness/gateway.ts';

let provider: TestProvider;
let notes: ProtectedServer;
let directory: ConfigDirectory;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  provider = await startProvider();
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
  directory = createTestConfigDirectory();
  directory.config({ auth: { allowPrivate: true } });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

afterAll(async () => {
  await Promise.all([notes.close(), provider.close()]);
  directory.remove();
});

const started = async (): Promise<RunningGateway> => {
  const gateway = await startGateway(directory.path);
  ends.push(() => gateway.stop());
  return gateway;
};

const opened = async (client: Promise<TestClient>): Promise<TestClient> => {
  const connected = await client;
  ends.push(() => connected.close());
  return connected;
};

const login = (client: TestClient) => callTool(client, 'core_auth_login', { server: 'notes' });

const walk = async (client: TestClient): Promise<void> => {
  const { structuredContent } = await login(client);
  const { authUrl } = structuredContent as { readonly authUrl: string };
  expect((await signIn(authUrl, createTestUser('ada'))).status).toBe(200);
};

const expectSignedIn = async (client: TestClient): Promise<void> => {
  await retryAssertion(async () => {
    expect(textOf(await callTool(client, 'x_notes_whoami'))).toContain('ada');
  });
  expect(textOf(await login(client))).toBe("Server 'notes' is already authenticated.");
  expect(await toolNames(client)).toContain('x_notes_whoami');
};

it('signs a client in to a server over HTTP', async () => {
  const { url } = await started();
  const client = await opened(connect(url));
  expect(await toolNames(client)).not.toContain('x_notes_whoami');
  expect(await serverInfo(client, 'notes')).toMatchObject({
    state: 'Auth Required',
    signIn: { status: 'auth_required' },
  });
  await walk(client);
  await expectSignedIn(client);
  expect(await serverInfo(client, 'notes')).toMatchObject({ signIn: { status: 'connected' } });
});

it('signs a client in to a server over stdio', async () => {
  const open = STDIO_CLIENTS['generation 2, 2025 era'];
  const client = await opened(open(stdioCommand(directory.path)));
  await walk(client);
  await expectSignedIn(client);
});
