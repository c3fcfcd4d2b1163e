import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHome, runLogin, run, type UserHome } from '../../sign-in/sign-in-command.ts';

let provider: TestProvider;
let server: ProtectedServer;
let home: UserHome;
beforeEach(async () => {
  home = createHome();
  provider = await startProvider();
  server = await startProtectedServer({ issuers: [provider.issuer] });
});
afterEach(async () => {
  home.remove();
  await Promise.all([provider.close(), server.close()]);
});

const list = () => run(home, ['tools', 'list', '--url', server.url]);
const refreshes = (): number => provider.count('/token', { grant_type: 'refresh_token' });

type Entries = Record<string, { readonly signIn: Record<string, unknown> }>;

const readEntries = (): Entries => JSON.parse(readFileSync(home.file, 'utf8')) as Entries;
const token = (): unknown => readEntries()[server.url]?.signIn['accessToken'];

/** Changes the stored times as if so much time had passed. */
const pass = (ms: number): void => {
  const entries = readEntries();
  const { signIn = {} } = entries[server.url] ?? {};
  for (const name of ['expiresAt', 'refreshAt']) signIn[name] = Number(signIn[name]) - ms;
  writeFileSync(home.file, JSON.stringify(entries));
};

const MINUTE = 60_000;

it('refreshes a token before it expires, and stores the new one', async () => {
  await runLogin(home, [server.url]);
  const before = token();
  pass(2 * MINUTE);
  await list();
  expect(refreshes()).toBe(0);
  pass(2.2 * MINUTE);
  await list();
  expect(refreshes()).toBe(1);
  expect(token()).not.toBe(before);
  await list();
  expect(refreshes()).toBe(1);
});

it('refreshes once when several commands run at the same time', async () => {
  await runLogin(home, [server.url]);
  pass(10 * MINUTE);
  const runs = await Promise.all(Array.from({ length: 8 }, list));
  expect(refreshes()).toBe(1);
  for (const { stderr } of runs) expect(stderr).not.toContain('auth login');
});

it('names the command that signs in again when the sign-in has ended', async () => {
  await runLogin(home, [server.url]);
  provider.revokeUser('alice');
  pass(10 * MINUTE);
  expect(await list()).toMatchObject({
    code: 1,
    stderr: `gateway: ${server.url} no longer accepts the sign-in: run gateway auth login ${server.url}\n`,
  });
  expect(refreshes()).toBe(1);
  expect(await list()).toMatchObject({
    code: 1,
    stderr: `gateway: ${server.url} requires a sign-in: run gateway auth login ${server.url}\n`,
  });
  expect(refreshes()).toBe(1);
});

it('uses a valid token while the issuer does not answer', async () => {
  await runLogin(home, [server.url]);
  pass(4.5 * MINUTE);
  provider.setFault(({ path }) => (path === '/token' ? { status: 503 } : undefined));
  await list();
  expect(server.requests.at(-1)).toMatchObject({ isAccepted: true, subject: 'alice' });
});

it('does not refresh a token of a short life for each request', async () => {
  provider.settings.accessTokenSeconds = 50;
  await runLogin(home, [server.url]);
  await list();
  expect(server.requests.at(-1)).toMatchObject({ isAccepted: true });
  expect(refreshes()).toBe(0);
  pass(30_000);
  await list();
  expect(refreshes()).toBe(1);
});

it('fails in one sentence while the issuer does not answer and the token has expired', async () => {
  await runLogin(home, [server.url]);
  pass(10 * MINUTE);
  provider.setFault(({ path }) => (path === '/token' ? { status: 503 } : undefined));
  const { code, stderr } = await list();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gateway: the sign-in at http:\S+ failed \(OAUTH_\w+\)\n$/u);
});

it('does not create files for gateways without a sign-in', async () => {
  expect((await list()).code).toBe(1);
  expect(existsSync(home.file)).toBe(false);
});

it('sends no token to another gateway', async () => {
  await runLogin(home, [server.url]);
  const other = await startProtectedServer({ issuers: [provider.issuer] });
  await run(home, ['tools', 'list', '--url', other.url]);
  expect(other.requests.every(({ tokenHash }) => tokenHash === undefined)).toBe(true);
  await other.close();
});
