import { readFileSync, statSync } from 'node:fs';
import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { retryAssertion } from '@gateway/repo-checks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHome, runLogin, run, type UserHome } from './sign-in-command.ts';

let provider: TestProvider;
let server: ProtectedServer;
let home: UserHome;

beforeAll(async () => {
  provider = await startProvider();
  server = await startProtectedServer({
    issuers: [provider.issuer],
    challengeScopes: ['mcp:read'],
  });
});
afterAll(() => Promise.all([provider.close(), server.close()]));
beforeEach(() => {
  home = createHome();
});
afterEach(() => {
  home.remove();
});

interface Stored {
  readonly signIn: { readonly accessToken: string; readonly refreshToken: string };
}

const stored = (): Record<string, Stored> =>
  JSON.parse(readFileSync(home.file, 'utf8')) as Record<string, Stored>;

const lastBearer = (): string | undefined =>
  server.requests.findLast(({ tokenHash }) => tokenHash !== undefined)?.subject;

describe('gateway auth login', () => {
  it('signs in, and other commands send the token', async () => {
    const signedIn = await runLogin(home, [server.url]);
    expect(signedIn).toMatchObject({
      code: 0,
      stdout: `signed in to ${server.url} as alice; the tokens are in ${home.file}\n`,
    });
    const listed = await run(home, ['tools', 'list', '--url', server.url]);
    expect(listed.stderr).not.toContain('auth login');
    await retryAssertion(() => {
      expect(lastBearer()).toBe('alice');
      expect(server.requests.at(-1)).toMatchObject({ isAccepted: true });
    });
  });

  it('stores tokens in a file of mode 0600, and prints none of them', async () => {
    const runs = [
      await runLogin(home, [server.url]),
      await run(home, ['auth', 'status']),
      await run(home, ['auth', 'status', server.url, '--output', 'json']),
      await run(home, ['tools', 'list', '--url', server.url]),
    ];
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    const { accessToken, refreshToken } = stored()[server.url]?.signIn ?? {};
    const printed = JSON.stringify([...runs, await run(home, ['auth', 'logout', server.url])]);
    expect(printed).not.toContain(accessToken);
    expect(printed).not.toContain(refreshToken);
    expect(printed).not.toContain(accessToken?.split('.')[2]);
  });

  it('registers as a native client with the redirect on a loopback address', async () => {
    await runLogin(home, [server.url]);
    const [registration] = provider.requests.filter(({ path }) => path === '/reg').slice(-1);
    expect(registration).toMatchObject({
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
    await run(home, ['auth', 'login', '--no-browser', server.url], async (url) => {
      opened = new URL(url);
      await signIn(url, createTestUser('alice'));
    });
    const sent = Object.fromEntries(opened.searchParams);
    expect(sent).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: server.url,
      scope: 'openid offline_access mcp:read',
    });
    expect(sent['state']).toMatch(/^[\w-]{43}$/u);
    expect(sent['code_challenge']).toMatch(/^[\w-]{43}$/u);
  });

  it('reports the refusal of the user', async () => {
    const refused = await runLogin(home, [server.url], { consent: 'deny' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `gateway: ${provider.issuer} refused the sign-in: access_denied: The user refused.\n`,
    );
  });

  it('ignores responses with another state, and answers them with 400', async () => {
    const signedIn = await run(home, ['auth', 'login', '--no-browser', server.url], async (url) => {
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
    const ended = await run(home, ['auth', 'login', '--no-browser', '--timeout', '1', server.url]);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stderr).toContain('gateway: the sign-in was not completed\n');
  });

  it('signs in with a code on another device', async () => {
    const signedIn = await run(
      home,
      ['auth', 'login', '--device', server.url],
      async (url, stderr) => {
        expect(stderr).toMatch(/enter the code \S+:/u);
        await signIn(url, createTestUser('bob'));
      },
    );
    expect(signedIn).toMatchObject({ code: 0 });
    expect(signedIn.stdout).toContain('as bob');
  });
});

describe('gateway auth status and logout', () => {
  it('shows user, issuer, expiry and storage', async () => {
    expect(await run(home, ['auth', 'status'])).toMatchObject({
      code: 0,
      stdout: 'not signed in\n',
    });
    expect(await run(home, ['auth', 'status', server.url])).toMatchObject({
      code: 1,
      stdout: `not signed in to ${server.url}\n`,
    });
    await runLogin(home, [server.url]);
    const shown = await run(home, ['auth', 'status', server.url, '--output', 'json']);
    expect(JSON.parse(shown.stdout)).toEqual([
      {
        url: server.url,
        subject: 'alice',
        email: null,
        name: null,
        issuer: provider.issuer,
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as string,
        renews: true,
        storage: home.file,
      },
    ]);
    const table = await run(home, ['auth', 'status']);
    expect(table.stdout).toMatch(/^URL +USER +ISSUER +EXPIRES +STORAGE/u);
    expect(table.stdout).toContain('renewed automatically');
  });

  it('revokes and deletes the tokens', async () => {
    await runLogin(home, [server.url]);
    const before = provider.count('/token/revocation');
    expect(await run(home, ['auth', 'logout', server.url])).toMatchObject({
      code: 0,
      stdout: `signed out of ${server.url}\n`,
    });
    expect(provider.count('/token/revocation') - before).toBe(2);
    expect(stored()).toEqual({});
    expect(await run(home, ['auth', 'logout', server.url])).toMatchObject({
      code: 0,
      stdout: `not signed in to ${server.url}\n`,
    });
    const listed = await run(home, ['tools', 'list', '--url', server.url]);
    expect(listed).toMatchObject({
      code: 1,
      stderr: `gateway: ${server.url} requires a sign-in: run gateway auth login ${server.url}\n`,
    });
  });

  it('deletes the tokens and says that they are not revoked when the issuer is away', async () => {
    const away = await startProvider();
    const guarded = await startProtectedServer({ issuers: [away.issuer] });
    await runLogin(home, [guarded.url]);
    await Promise.all([away.close(), guarded.close()]);
    expect(await run(home, ['auth', 'logout', guarded.url])).toMatchObject({
      code: 0,
      stdout: `signed out of ${guarded.url}; the tokens were deleted here and not revoked at the issuer\n`,
    });
    expect(stored()).toEqual({});
  });
});
