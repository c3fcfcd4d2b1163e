import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { retryAssertion } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, success } from '../run-command.ts';
import { useHome } from './sign-in-command.ts';

let provider: TestProvider;
let server: ProtectedServer;
const home = useHome();
const { auth, listTools, login, run } = home;

beforeAll(async () => {
  provider = await startProvider();
  const issuers = [provider.issuer];
  server = await startProtectedServer({ issuers, challengeScopes: ['mcp:read'] });
});
afterAll(() => Promise.all([provider.close(), server.close()]));

describe('gateway auth login', () => {
  it('signs in, and other commands send the token', async () => {
    expect(await login([server.url])).toMatchObject({
      code: 0,
      stdout: `signed in to ${server.url} as alice; the tokens are in ${home.file()}\n`,
    });
    const listed = await listTools(server.url);
    expect(listed.stderr).not.toContain('auth login');
    await retryAssertion(() => {
      const sent = server.requests.findLast(({ tokenHash }) => tokenHash !== undefined);
      expect(sent?.subject).toBe('alice');
      expect(server.requests.at(-1)).toMatchObject({ isAccepted: true });
    });
  });

  it('stores tokens in a file of mode 0600, and prints none of them', async () => {
    const runs = [
      await login([server.url]),
      await auth('status'),
      await auth('status', server.url, '--output', 'json'),
      await listTools(server.url),
    ];
    expect(home.mode()).toBe(0o600);
    const { accessToken, refreshToken } = home.read()[server.url]?.signIn ?? {};
    const printed = JSON.stringify([...runs, await auth('logout', server.url)]);
    for (const secret of [accessToken, refreshToken, String(accessToken).split('.')[2]])
      expect(printed).not.toContain(secret);
  });

  it('registers as a native client with the redirect on a loopback address', async () => {
    await login([server.url]);
    expect(provider.requests.findLast(({ path }) => path === '/reg')).toMatchObject({
      parameters: {
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/u)],
      },
    });
  });

  it('sends PKCE, state, resource and the scopes of the challenge', async () => {
    let opened = new URL('http://unset');
    await run(['auth', 'login', '--no-browser', server.url], async (url) => {
      opened = new URL(url);
      await signIn(url, createTestUser('alice'));
    });
    const random = expect.stringMatching(/^[\w-]{43}$/u) as unknown;
    expect(Object.fromEntries(opened.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: server.url,
      scope: 'openid offline_access mcp:read',
      state: random,
      code_challenge: random,
    });
  });

  it('reports the refusal of the user', async () => {
    const text = `gateway: ${provider.issuer} refused the sign-in: access_denied: The user refused.\n`;
    expect(await login([server.url], { consent: 'deny' })).toMatchObject(failure(text, 1));
  });

  it('ignores responses with another state, and answers them with 400', async () => {
    const signedIn = await run(['auth', 'login', '--no-browser', server.url], async (url) => {
      const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
      for (const query of ['', '?code=x&state=wrong', '?error=access_denied', '?error=x&state=']) {
        const answer = await fetch(redirect + query);
        expect(answer.status).toBe(400);
        expect(answer.headers.get('x-frame-options')).toBe('DENY');
        expect(await answer.text()).not.toContain('wrong');
      }
      await signIn(url, createTestUser('alice'));
    });
    expect(signedIn.code).toBe(0);
  });

  it('ends after the time limit', async () => {
    const ended = await auth('login', '--no-browser', '--timeout', '1', server.url);
    expect(ended).toMatchObject(failure('gateway: the sign-in was not completed\n', 1));
  });

  it('signs in with a code on another device', async () => {
    const signedIn = await run(['auth', 'login', '--device', server.url], async (url, stderr) => {
      expect(stderr).toMatch(/enter the code \S+:/u);
      await signIn(url, createTestUser('bob'));
    });
    expect(signedIn).toMatchObject(success('as bob'));
  });
});

describe('gateway auth status and logout', () => {
  it('shows user, issuer, expiry and storage', async () => {
    expect(await auth('status')).toMatchObject({ code: 0, stdout: 'not signed in\n' });
    const stdout = `not signed in to ${server.url}\n`;
    expect(await auth('status', server.url)).toMatchObject({ code: 1, stdout });
    await login([server.url]);
    const shown = await auth('status', server.url, '--output', 'json');
    expect(JSON.parse(shown.stdout)).toEqual([
      {
        url: server.url,
        subject: 'alice',
        email: null,
        name: null,
        issuer: provider.issuer,
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as string,
        renews: true,
        storage: home.file(),
      },
    ]);
    const table = await auth('status');
    expect(table.stdout).toMatch(/^URL +USER +ISSUER +EXPIRES +STORAGE/u);
    expect(table.stdout).toContain('renewed automatically');
  });

  it('revokes and deletes the tokens', async () => {
    await login([server.url]);
    const before = provider.count('/token/revocation');
    const logout = () => auth('logout', server.url);
    const [out, none] = ['signed out of', 'not signed in to'].map((s) => `${s} ${server.url}\n`);
    expect(await logout()).toMatchObject({ code: 0, stdout: out });
    expect(provider.count('/token/revocation') - before).toBe(2);
    expect(home.read()).toEqual({});
    expect(await logout()).toMatchObject({ code: 0, stdout: none });
    expect(await listTools(server.url)).toMatchObject({
      code: 1,
      stderr: `gateway: ${server.url} requires a sign-in: run gateway auth login ${server.url}\n`,
    });
  });

  it('deletes the tokens and says that they are not revoked when the issuer is away', async () => {
    const away = await startProvider();
    const guarded = await startProtectedServer({ issuers: [away.issuer] });
    await login([guarded.url]);
    await Promise.all([away.close(), guarded.close()]);
    expect(await auth('logout', guarded.url)).toMatchObject({
      code: 0,
      stdout: `signed out of ${guarded.url}; the tokens were deleted here and not revoked at the issuer\n`,
    });
    expect(home.read()).toEqual({});
  });
});
