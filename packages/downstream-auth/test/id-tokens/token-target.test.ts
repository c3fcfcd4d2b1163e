import { createPrincipal } from '@gateway/call-contract';
import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDownstreamAuth } from '../../src/index.ts';
import { remoteServer } from '../remote-server.ts';
import { unsignedToken } from '../unsigned-token.ts';

const ALICE = createPrincipal({ issuer: 'https://home.example', subject: 'alice' });

const TOKEN = unsignedToken({ sub: 'alice', aud: 'gateway', exp: 4_000_000_000 });

/** Returns the outcome of a request for the token of a server at this URL. */
const outcomeFor = async (url: string, auth: object = { type: 'oauth', forwardToken: true }) => {
  const problems: string[] = [];
  const store = createMemoryStore();
  const { credentials, login, close } = createDownstreamAuth({
    store,
    publicUrl: new URL('http://127.0.0.1:1'),
    servers: () => [],
    secrets: { read: () => Promise.resolve({ ok: false, reason: 'no secrets' }) },
    allowPrivate: true,
    isPlainHttpHost: (hostname) => hostname === 'agents.platform.svc.cluster.local',
    idTokens: {
      idToken: () => Promise.resolve({ ok: true, token: TOKEN, expiresAt: 4_000_000_000_000 }),
    },
    log: { info: () => undefined, warn: () => undefined },
    observe: (fact) => {
      if (fact.code === 'forwarding-failed') problems.push(fact.problem);
    },
  });
  onTestFinished(async () => {
    close();
    await store.close();
  });
  const server = remoteServer(auth, url);
  return {
    current: await credentials.current(server, ALICE),
    problem: credentials.tokenProblem(server),
    login: await login(server, ALICE),
    problems,
  };
};

const problemOf = (host: string): string =>
  `tokens are not sent over plain HTTP to "${host}": write an https:// URL in spec.url, or name the host in servers.plainHttpTokenHosts of config.yaml`;

describe('tokens', () => {
  it.each([
    ['http://tools.example.com/mcp', 'tools.example.com'],
    ['http://10.0.0.1/mcp', '10.0.0.1'],
    ['http://localhost.example.com/', 'localhost.example.com'],
    ['http://models.platform.svc.cluster.local:8080/mcp', 'models.platform.svc.cluster.local'],
  ])('are not sent to %s', async (url, host) => {
    const reason = problemOf(host);
    for (const auth of [{ type: 'oauth', forwardToken: true }, { type: 'oauth' }]) {
      const outcome = await outcomeFor(url, auth);
      expect(outcome.current).toEqual({ ok: false, code: 'unavailable', reason });
      expect(outcome.problem).toBe(reason);
      expect(outcome.login).toEqual({ code: 'failed', reason });
      expect(outcome.problems).toEqual([
        'spec.url is not an https:// URL, and servers.plainHttpTokenHosts does not name its host',
      ]);
    }
  });

  it.each([
    'https://tools.example.com/mcp',
    'http://127.0.0.1:8080/mcp',
    'http://[::1]:1/mcp',
    'http://agents.platform.svc.cluster.local:8080/mcp',
  ])('are sent to %s', async (url) => {
    const outcome = await outcomeFor(url);
    expect(outcome.current).toMatchObject({ ok: true });
    expect(outcome.problem).toBeUndefined();
    expect(outcome.problems).toEqual([]);
  });

  it('are no concern of servers without them', async () => {
    const { problem } = await outcomeFor('http://tools.example.com/mcp', { type: 'none' });
    expect(problem).toBeUndefined();
  });
});
