import { createTestUser, signIn, type TestProvider } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { clientBrowser, REDIRECT } from '../harness/broker-token.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';
import { ClientState, OAUTH_CLIENTS } from '../harness/oauth-clients.ts';

const SECRETS = ['code', 'state', 'code_verifier', 'refresh_token', 'client_secret', 'nonce'];

const directory = testDirectory();
let gateway: RunningGateway;
let provider: TestProvider;

setUp(async () => {
  const { port, ...started } = await startBrokerProvider();
  ({ provider } = started);
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
});

it.each(Object.entries(OAUTH_CLIENTS))(
  'a client with the sign-in of the SDK of %s reaches the tools after the sign-in of a user',
  async (_name, client) => {
    const endpoint = new URL('/mcp', gateway.url);
    const state = new ClientState(REDIRECT);
    expect(await client.connect(endpoint, state)).toBe(false);
    const browser = clientBrowser();
    const page = await signIn(state.link ?? '', createTestUser('alice'), { browser });
    const callback = new URL(page.url);
    expect(callback.searchParams.get('iss')).toBe(gateway.url.origin);
    await client.finish(endpoint, state, callback);
    expect(await client.toolNames(endpoint, state)).toContain('call_tool');
    expect(Object.keys(state.tokens())).not.toContain('id_token');
  },
);

it('writes no token, code, state or secret to the log', () => {
  const log = [...gateway.stderr, ...gateway.stdout].join('\n');
  const sent = provider.requests
    .flatMap(({ parameters }) => SECRETS.map((name) => parameters[name]))
    .filter((value) => typeof value === 'string');
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((value) => log.includes(value))).toEqual([]);
});
