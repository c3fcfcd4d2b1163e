import { retryAssertion } from '@gateway/repo-checks';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
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

let provider: TestProvider;
let notes: ProtectedServer;
const gateways: SignInGateway[] = [];

beforeAll(async () => {
  provider = await startProvider();
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
});

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});

afterAll(async () => {
  await notes.close();
  await provider.close();
});

const start = async (options: Partial<SignInGatewayOptions> = {}): Promise<SignInGateway> => {
  const servers = { notes: { url: notes.url, auth: { type: 'oauth' } } };
  const gateway = await startSignInGateway({ servers, hasCallers: true, ...options });
  gateways.push(gateway);
  return gateway;
};

const linkOf = async (gateway: SignInGateway, user: string): Promise<string> => {
  const { structuredContent, text } = await gateway.callTool(user, 'core_auth_login', {
    server: 'notes',
  });
  const url = structuredContent?.['authUrl'];
  if (typeof url !== 'string') throw new Error(text);
  return url;
};

const walk = async (gateway: SignInGateway, user: string): Promise<void> => {
  const { status } = await signIn(await linkOf(gateway, user), createTestUser(user));
  expect(status).toBe(200);
};

const toolsOf = async (gateway: SignInGateway, user: string): Promise<readonly string[]> => {
  const { text } = await gateway.call(user, 'list_tools');
  const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).filter((name) => name.startsWith('x_'));
};

const whoami = (gateway: SignInGateway, user: string) => gateway.callTool(user, 'x_notes_whoami');

const statusOf = async (gateway: SignInGateway, user: string): Promise<unknown> => {
  const { contents } = (await gateway.request(user, 'resources/read', {
    uri: 'auth://status',
  })) as unknown as { readonly contents: readonly { readonly text: string }[] };
  return JSON.parse(contents[0]?.text ?? '');
};

describe('users', () => {
  it('see and use only what they signed in to themselves', async () => {
    const gateway = await start();
    await walk(gateway, 'ada');
    expect(await toolsOf(gateway, 'ada')).toContain('x_notes_whoami');
    expect(await toolsOf(gateway, 'ben')).toEqual([]);
    expect((await whoami(gateway, 'ben')).text).toBe('Tool not found: x_notes_whoami');
    expect((await whoami(gateway, 'ada')).text).toContain('ada');
    await walk(gateway, 'ben');
    expect((await whoami(gateway, 'ben')).text).toContain('ben');
    expect((await whoami(gateway, 'ada')).text).toContain('ada');
  });

  it('never share tokens: interleaved calls of 50 users', async () => {
    const gateway = await start();
    const people = Array.from({ length: 50 }, (_, index) => `user-${String(index)}`);
    for (const user of people) await walk(gateway, user);
    const before = notes.calls('whoami').length;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => people)
        .flat()
        .map(async (user) => ({ user, text: (await whoami(gateway, user)).text })),
    );
    expect(answers.filter(({ user, text }) => !text.includes(`"${user}"`))).toEqual([]);
    const calls = notes.calls('whoami').slice(before);
    const tokens = new Map<string | undefined, Set<string | undefined>>();
    for (const { subject, tokenHash } of calls)
      tokens.set(tokenHash, (tokens.get(tokenHash) ?? new Set()).add(subject));
    expect(calls).toHaveLength(200);
    expect(tokens.size).toBe(50);
    expect([...tokens.values()].every((subjects) => subjects.size === 1)).toBe(true);
  });

  it('keep a server when the server refuses the token of another user', async () => {
    const gateway = await start();
    await walk(gateway, 'ada');
    await walk(gateway, 'ben');
    provider.revokeUser('ada');
    notes.revoke('ada');
    const refused = await whoami(gateway, 'ada');
    expect(refused.isError).toBe(true);
    expect((await whoami(gateway, 'ben')).text).toContain('ben');
    await retryAssertion(async () => {
      expect(await statusOf(gateway, 'ada')).toMatchObject({
        servers: [{ name: 'notes', status: 'reauth_required', auth_tool: 'core_auth_login' }],
      });
    });
    expect(await statusOf(gateway, 'ben')).toMatchObject({ servers: [{ status: 'connected' }] });
  });
});

describe('auth://status', () => {
  it('shows the sign-ins of the caller, also with the meta-tools', async () => {
    const gateway = await start();
    expect(await statusOf(gateway, 'cleo')).toMatchObject({
      servers: [{ name: 'notes', status: 'auth_required', auth_tool: 'core_auth_login' }],
    });
    await walk(gateway, 'cleo');
    await retryAssertion(async () => {
      expect(await statusOf(gateway, 'cleo')).toMatchObject({
        servers: [{ name: 'notes', status: 'connected', issuer: provider.issuer }],
      });
    });
    const { text } = await gateway.call('cleo', 'get_resource', { uri: 'auth://status' });
    expect(text).toContain('connected');
    expect(await gateway.request('cleo', 'resources/list')).toMatchObject({
      resources: [{ uri: 'auth://status' }],
    });
  });
});

describe('a toolset that names a signed-out server', () => {
  it('lets a call answer that sign-in is required, with the link', async () => {
    const gateway = await start();
    const toolset = 'server:notes';
    const refused = await gateway.callTool('dora', 'x_notes_whoami', {}, toolset);
    expect(refused.isError).toBe(true);
    const link = /open (\S+) and call the tool again$/u.exec(refused.text)?.[1] ?? '';
    expect((await signIn(link, createTestUser('dora'))).status).toBe(200);
    await retryAssertion(async () => {
      const { text } = await gateway.callTool('dora', 'x_notes_whoami', {}, toolset);
      expect(text).toContain('dora');
    });
    const { text } = await gateway.call('elsa', 'filter_tools', { toolset: [toolset] });
    expect(JSON.parse(text)).toMatchObject({
      toolset_unmatched: [toolset],
      toolset_requiring_auth: [toolset],
    });
  });
});

describe('gateways that share a store', () => {
  const shared = (store: StateStore): Promise<SignInGateway> => start({ stateStore: store });

  it('serve a user who signed in at another one', async () => {
    const store = createMemoryStore();
    const [first, second] = await Promise.all([shared(store), shared(store)]);
    await walk(first, 'finn');
    await retryAssertion(async () => {
      expect((await whoami(second, 'finn')).text).toContain('finn');
    });
    await store.close();
  });

  it('complete a sign-in that was pending when its gateway stopped', async () => {
    const store = createMemoryStore();
    const first = await shared(store);
    const link = await linkOf(first, 'gina');
    const second = await shared(store);
    gateways.splice(gateways.indexOf(first), 1);
    await first.close();
    const moved = new URL(link);
    moved.host = new URL(second.gateway.url).host;
    // The provider sends the browser back to the URL of the sign-in, which is that of the stopped gateway here.
    const page = await signIn(moved, createTestUser('gina'), {
      hosts: { [new URL(link).origin]: second.gateway.url },
    });
    expect(page.status).toBe(200);
    expect((await whoami(second, 'gina')).text).toContain('gina');
    await store.close();
  });
});

describe('secrets of sign-in', () => {
  it('are in no log and no metric', async () => {
    const gateway = await start();
    const link = await linkOf(gateway, 'hugo');
    const page = await signIn(link, createTestUser('hugo'));
    await whoami(gateway, 'hugo');
    provider.revokeUser('hugo');
    notes.revoke('hugo');
    await whoami(gateway, 'hugo');
    const { text } = await gateway.gateway.metrics.scrape();
    expect(text).toContain('gateway_server_sign_ins_total{result="challenge"} 1');
    expect(text).toContain('gateway_server_sign_ins_total{result="completed"} 1');
    const output = gateway.logs.join('') + text;
    const secrets = page.visited.flatMap((address) => {
      const { searchParams } = new URL(address);
      return ['state', 'code', 'code_challenge'].flatMap((name) => searchParams.get(name) ?? []);
    });
    expect(secrets.length).toBeGreaterThan(2);
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    expect(/eyJ[\w-]{10}/u.test(output)).toBe(false);
  });
});
