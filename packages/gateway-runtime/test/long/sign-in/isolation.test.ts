import { createMemoryStore } from '@gateway/state-store';
import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  startSignInGateway,
  type SignInGateway,
  type SignInGatewayOptions,
} from '../../sign-in/gateway-harness.ts';

type ServerName = 'east' | 'west';

let provider: TestProvider;
let east: ProtectedServer;
let west: ProtectedServer;
const gateways: SignInGateway[] = [];

beforeAll(async () => {
  provider = await startProvider();
  const options = { issuers: [provider.issuer], scopesSupported: ['mcp'] };
  east = await startProtectedServer(options);
  west = await startProtectedServer(options);
  east.addTool('only-east');
});

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});

afterAll(async () => {
  await Promise.all([east.close(), west.close(), provider.close()]);
});

const start = async (options: Partial<SignInGatewayOptions> = {}): Promise<SignInGateway> => {
  const family = { name: 'region', instanceArg: 'place' };
  const auth = { type: 'oauth' };
  const gateway = await startSignInGateway({
    servers: { east: { url: east.url, auth, family }, west: { url: west.url, auth, family } },
    hasCallers: true,
    ...options,
  });
  gateways.push(gateway);
  return gateway;
};

/** A gateway with two servers of one family. Ada is signed in to the first and ben to the second. */
const started = async (options: Partial<SignInGatewayOptions> = {}): Promise<SignInGateway> => {
  const gateway = await start(options);
  await walk(gateway, 'ada', 'east');
  await walk(gateway, 'ben', 'west');
  return gateway;
};

const walk = async (gateway: SignInGateway, user: string, server: ServerName): Promise<void> => {
  const { structuredContent, text } = await gateway.callTool(user, 'core_auth_login', { server });
  const url = structuredContent?.['authUrl'];
  if (typeof url !== 'string') throw new Error(text);
  expect((await signIn(url, createTestUser(user))).status).toBe(200);
};

const whoami = (gateway: SignInGateway, user: string, place: string) =>
  gateway.callTool(user, 'x_region_whoami', { place });

describe('two users who are signed in to different members of a family', () => {
  it('reach their own member only', async () => {
    const gateway = await started();
    expect((await whoami(gateway, 'ada', 'east')).text).toContain('"ada"');
    expect((await whoami(gateway, 'ben', 'west')).text).toContain('"ben"');
    const calls = () => [east, west].map((server) => server.calls('whoami').length);
    const before = calls();
    const hers = await whoami(gateway, 'ada', 'west');
    const his = await whoami(gateway, 'ben', 'east');
    const strangers = await whoami(gateway, 'cleo', 'east');
    expect([hers.isError, his.isError, strangers.isError]).toEqual([true, true, true]);
    expect(hers.text).toBe(
      (await whoami(gateway, 'ada', 'nowhere')).text.replaceAll('nowhere', 'west'),
    );
    expect(strangers.text).toBe('Tool not found: x_region_whoami');
    expect(calls()).toEqual(before);
  });
});

describe('a tool that one user has', () => {
  it('is a missing one for another user with native exposure', async () => {
    const store = createMemoryStore();
    await started({ stateStore: store });
    const gateway = await start({ stateStore: store, expose: 'native' });
    const listNames = async (user: string): Promise<readonly string[]> => {
      const { tools } = (await gateway.request(user, 'tools/list')) as unknown as {
        readonly tools: readonly { readonly name: string }[];
      };
      return tools.map(({ name }) => name);
    };
    expect(await listNames('ada')).toContain('only-east');
    expect(await listNames('ben')).not.toContain('only-east');
    const args = { place: 'east' };
    expect(await gateway.call('ada', 'only-east', args)).toMatchObject({ isError: false });
    const answer = async (name: string): Promise<string> => {
      const outcome = await gateway.call('ben', name, args).catch(String);
      return JSON.stringify(outcome).replaceAll(name, 'NAME');
    };
    expect(await answer('only-east')).toBe(await answer('only-else'));
    await store.close();
  });
});
