import { randomBytes } from 'node:crypto';
import {
  CookieBrowser,
  signIn,
  startProtectedServer,
  startProvider,
  startRedis,
  createTestUser,
  findFreePort,
} from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { closing, testDirectory } from '../harness/lifetime.ts';

/** Returns a function that starts a gateway process on one port with one Redis server, and a protected server behind it. */
const installation = async (): Promise<() => Promise<RunningGateway>> => {
  const redis = await closing(startRedis());
  const provider = await closing(startProvider());
  const notes = await closing(
    startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] }),
  );
  const directory = testDirectory();
  directory.config({
    auth: { allowPrivate: true },
    state: { store: 'redis', url: redis.url.href },
  });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  const args = ['--port', String(await findFreePort())];
  const env = { GATEWAY_STATE_KEY: randomBytes(32).toString('base64') };
  return () => startGateway(directory.path, { args, env });
};

const kill = (gateway: RunningGateway): Promise<unknown> => gateway.stop('SIGKILL');

const login = async ({ url }: RunningGateway): Promise<string> => {
  const client = await connect(new URL('/mcp', url));
  const result = await callTool(client, 'core_auth_login', { server: 'notes' });
  return /^https?:\S+$/mu.exec(textOf(result))?.[0] ?? textOf(result);
};

const whoami = async ({ url }: RunningGateway): Promise<string> => {
  const client = await connect(new URL('/mcp', url));
  return textOf(await callTool(client, 'x_notes_whoami', {}));
};

it('completes a sign-in whose gateway process was killed before the link was opened', async () => {
  const start = await installation();
  const first = await start();
  const link = await login(first);
  await kill(first);
  const second = await start();
  expect((await signIn(link, createTestUser('ada'))).status).toBe(200);
  expect(await whoami(second)).toContain('"ada"');
});

it('completes a sign-in whose gateway process was killed while the user was at the provider', async () => {
  const start = await installation();
  const first = await start();
  let isAtProvider = true;
  const browser = new CookieBrowser({
    isEnd: ({ pathname }) => isAtProvider && pathname.startsWith('/oauth/proxy/callback'),
  });
  const { url: callback } = await signIn(await login(first), createTestUser('ada'), { browser });
  expect(callback).toContain('code=');
  await kill(first);
  const second = await start();
  isAtProvider = false;
  const page = await browser.open(callback);
  expect(page.status).toBe(200);
  expect(await whoami(second)).toContain('"ada"');
  await kill(second);
  expect(await whoami(await start())).toContain('"ada"');
});
