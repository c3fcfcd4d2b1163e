import { retryAssertion } from '@gateway/repo-checks';
import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterEach, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../../sign-in/gateway-harness.ts';
import { movedClock } from '../../sign-in/moved-clock.ts';
import { toolsOf, walk, whoami } from '../../sign-in/signed-in-user.ts';

const REFRESH = { grant_type: 'refresh_token' };

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close();
});

interface Scene {
  readonly provider: TestProvider;
  readonly notes: ProtectedServer;
  readonly gateway: SignInGateway;
  /** Moves the clock forward, in seconds. */
  readonly move: (seconds: number) => void;
  readonly refreshes: () => number;
}

/** A gateway at which ada is signed in to a server, with a token of 10 minutes. */
const signedIn = async (): Promise<Scene> => {
  const move = movedClock();
  const provider = await startProvider({ accessTokenSeconds: 600 });
  cleanups.push(() => provider.close());
  const notes = await startProtectedServer({
    issuers: [provider.issuer],
    scopesSupported: ['mcp'],
  });
  cleanups.push(() => notes.close());
  const gateway = await startSignInGateway({
    servers: { notes: { url: notes.url, auth: { type: 'oauth' } } },
    hasCallers: true,
  });
  cleanups.push(() => gateway.close());
  await walk(gateway, 'ada', 'notes');
  const refreshes = (): number => provider.count('/token', REFRESH);
  return { provider, notes, gateway, move, refreshes };
};

const tokensOf = (server: ProtectedServer): readonly (string | undefined)[] =>
  server.calls('whoami').map(({ tokenHash }) => tokenHash);

const callAsAda = async ({ gateway }: Scene): Promise<void> => {
  const answer = await whoami(gateway, 'ada', 'notes');
  expect(answer.text).toContain('"ada"');
  expect(answer.isError).toBe(false);
};

describe('a token of a user', () => {
  it('is not refreshed while more than 5 minutes are left', async () => {
    const scene = await signedIn();
    await callAsAda(scene);
    scene.move(290);
    await callAsAda(scene);
    expect(new Set(tokensOf(scene.notes)).size).toBe(1);
    expect(scene.refreshes()).toBe(0);
  });

  it('with less than 5 minutes left is refreshed without a failed call', async () => {
    const scene = await signedIn();
    await callAsAda(scene);
    scene.move(310);
    await retryAssertion(async () => {
      await callAsAda(scene);
      expect(new Set(tokensOf(scene.notes)).size).toBe(2);
    });
    expect(scene.refreshes()).toBe(1);
    const withToken = scene.notes.requests.filter(({ tokenHash }) => tokenHash !== undefined);
    expect(withToken.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('that has expired is refreshed before the call', async () => {
    const scene = await signedIn();
    await callAsAda(scene);
    scene.move(601);
    await callAsAda(scene);
    expect(new Set(tokensOf(scene.notes)).size).toBe(2);
    expect(scene.refreshes()).toBe(1);
  });

  it('is refreshed once for 50 concurrent calls', async () => {
    const scene = await signedIn();
    scene.move(601);
    await Promise.all(Array.from({ length: 50 }, () => callAsAda(scene)));
    expect(scene.notes.calls('whoami')).toHaveLength(50);
    expect(new Set(tokensOf(scene.notes)).size).toBe(1);
    expect(scene.refreshes()).toBe(1);
  });

  it('is refreshed with the rotated refresh token, each of which is used once', async () => {
    const scene = await signedIn();
    for (let time = 1; time <= 3; time += 1) {
      scene.move(601);
      await callAsAda(scene);
      expect(scene.refreshes()).toBe(time);
    }
    const used = scene.provider.requests
      .filter(({ parameters }) => parameters['grant_type'] === REFRESH.grant_type)
      .map(({ parameters }) => parameters['refresh_token']);
    expect(new Set(used).size).toBe(3);
  });
});

describe('a refresh that fails for a time', () => {
  it('leaves the token in use until it ends, then says so, and succeeds later', async () => {
    const scene = await signedIn();
    const { provider, gateway, move } = scene;
    const before = provider.count('/token');
    provider.setFault(({ path }) => (path === '/token' ? { status: 503 } : undefined));
    move(310);
    await callAsAda(scene);
    await retryAssertion(() => {
      expect(provider.count('/token')).toBeGreaterThan(before);
    });
    await callAsAda(scene);
    move(300);
    const refused = await whoami(gateway, 'ada', 'notes');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('cannot be refreshed');
    provider.setFault(undefined);
    move(5);
    await retryAssertion(() => callAsAda(scene));
  });
});

describe('the definitions of the tools of a server', () => {
  it('stay listed while a refresh runs and after the token has expired', async () => {
    const scene = await signedIn();
    const { provider, gateway, move } = scene;
    const before = await toolsOf(gateway, 'ada');
    expect(before).toContain('x_notes_whoami');
    const requests = provider.count('/token');
    provider.setFault(({ path }) => (path === '/token' ? 'hang' : undefined));
    move(310);
    await callAsAda(scene);
    await retryAssertion(() => {
      expect(provider.count('/token')).toBe(requests + 1);
    });
    expect(await toolsOf(gateway, 'ada')).toEqual(before);
    move(300);
    expect(await toolsOf(gateway, 'ada')).toEqual(before);
  });
});
