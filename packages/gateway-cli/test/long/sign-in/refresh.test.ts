import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useHome } from '../../sign-in/sign-in-command.ts';

let provider: TestProvider;
let server: ProtectedServer;
const home = useHome();
beforeEach(async () => {
  provider = await startProvider();
  server = await startProtectedServer({ issuers: [provider.issuer] });
});
afterEach(() => Promise.all([provider.close(), server.close()]));

const login = () => home.login([server.url]);
const list = () => home.listTools(server.url);
const refreshes = (): number => provider.count('/token', { grant_type: 'refresh_token' });
const token = (): unknown => home.read()[server.url]?.signIn['accessToken'];
const failRefreshes = () => {
  provider.setFault(({ path }) => (path === '/token' ? { status: 503 } : undefined));
};

/** Changes the stored times as if so much time had passed. */
const pass = (ms: number): void => {
  const entries = home.read();
  const { signIn = {} } = entries[server.url] ?? {};
  for (const name of ['expiresAt', 'refreshAt']) signIn[name] = Number(signIn[name]) - ms;
  home.write(entries);
};

const MINUTE = 60_000;

it('refreshes a token before it expires, and stores the new one', async () => {
  await login();
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
  await login();
  pass(10 * MINUTE);
  const runs = await Promise.all(Array.from({ length: 8 }, list));
  expect(refreshes()).toBe(1);
  for (const { stderr } of runs) expect(stderr).not.toContain('auth login');
});

it('names the command that signs in again when the sign-in has ended', async () => {
  await login();
  provider.revokeUser('alice');
  pass(10 * MINUTE);
  for (const state of ['no longer accepts the sign-in', 'requires a sign-in']) {
    const stderr = `gateway: ${server.url} ${state}: run gateway auth login ${server.url}\n`;
    expect(await list()).toMatchObject({ code: 1, stderr });
    expect(refreshes()).toBe(1);
  }
});

it('uses a valid token while the issuer does not answer', async () => {
  await login();
  pass(4.5 * MINUTE);
  failRefreshes();
  await list();
  expect(server.requests.at(-1)).toMatchObject({ isAccepted: true, subject: 'alice' });
});

it('does not refresh a token of a short life for each request', async () => {
  provider.settings.accessTokenSeconds = 50;
  await login();
  await list();
  expect(server.requests.at(-1)).toMatchObject({ isAccepted: true });
  expect(refreshes()).toBe(0);
  pass(30_000);
  await list();
  expect(refreshes()).toBe(1);
});

it('fails in one sentence while the issuer does not answer and the token has expired', async () => {
  await login();
  pass(10 * MINUTE);
  failRefreshes();
  const { code, stderr } = await list();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gateway: the sign-in at http:\S+ failed \(OAUTH_\w+\)\n$/u);
});

it('does not create files for gateways without a sign-in', async () => {
  expect((await list()).code).toBe(1);
  expect(home.hasFile()).toBe(false);
});

it('sends no token to another gateway', async () => {
  await login();
  const other = await startProtectedServer({ issuers: [provider.issuer] });
  await home.listTools(other.url);
  expect(other.requests.every(({ tokenHash }) => tokenHash === undefined)).toBe(true);
  await other.close();
});
