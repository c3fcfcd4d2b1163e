import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { retryAssertion } from '@gateway/repo-checks';
import { signIn, createTestUser } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import {
  CLI,
  runGateway,
  SERVER_ENV,
  startGateway,
  type RunningGateway,
} from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';
import { startNode } from '../harness/process.ts';
import { testFolder } from '../harness/program-result.ts';
import { rpcOf, postMessage } from '../harness/mcp-posts.ts';

const home = testFolder();
const env = { ...SERVER_ENV, XDG_CONFIG_HOME: home, GATEWAY_KEYRING: 'off' };
const directory = testDirectory();
let gateway: RunningGateway;
let url: string;

setUp(async () => {
  const { provider, port } = await startBrokerProvider();
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  directory.server('mail', {
    ...{ type: 'streamable-http', url: 'https://mail.example/mcp', autoStart: true },
    auth: { type: 'oauth' },
  });
  gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  url = `http://127.0.0.1:${port}/mcp`;
});

/** Returns the status of a request with a token. */
const statusWith = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await postMessage(gateway.url, rpcOf('ping'), { headers })).status;
};

const command = (...args: string[]) => runGateway(args, env);

it('signs in at a gateway in mode broker, lists tools, and signs out', async () => {
  const refused = await command('tools', 'list', '--url', url);
  expect(refused).toMatchObject({
    code: 1,
    stderr: [`gateway: ${url} requires a sign-in: run gateway auth login ${url}`],
  });

  const running = startNode([CLI, 'auth', 'login', '--no-browser', url], { env });
  const link = await running.line((line) => line.startsWith('http'));
  await signIn(link, createTestUser('alice'));
  expect(await running.exited).toMatchObject({ code: 0 });
  expect(running.stdout.join('\n')).toMatch(/^signed in to .* as alice@example\.com; /u);

  const listed = await command('tools', 'list', '--url', url, '--output', 'json');
  expect(listed).toMatchObject({ code: 0, stderr: [] });
  expect((await command('tools', 'list', '--url', url)).stderr).toEqual([
    'The tools of these servers are listed after a sign-in with core_auth_login: mail',
  ]);
  expect(await command('servers', 'stop', 'mail', '--url', url)).toMatchObject({
    code: 1,
    stderr: [
      'gateway: core_service_stop is refused because it changes the gateway; it needs the scope mcp:admin, which the authorization server grants to members of the groups in "auth.adminGroups" of config.yaml; sign in again with it: gateway auth login --scope mcp:admin',
    ],
  });
  const status = await command('auth', 'status', url, '--output', 'json');
  expect(JSON.parse(status.stdout.join('\n'))).toMatchObject([
    { url, issuer: new URL(url).origin, email: 'alice@example.com', renews: true },
  ]);

  const file = join(home, 'mcp-gateway', 'sign-ins.json');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    { signIn: { accessToken: string } }
  >;
  const token = stored[url]?.signIn.accessToken ?? '';
  expect([...gateway.stderr, ...gateway.stdout].join('\n')).not.toContain(token);

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await statusWith(token)).not.toBe(401);
  expect(await command('auth', 'logout', url)).toMatchObject({
    code: 0,
    stdout: [`signed out of ${url}`],
  });
  // A gateway accepts a token that it has verified for 5 more seconds.
  await retryAssertion(async () => {
    expect(await statusWith(token)).toBe(401);
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  await retryAssertion(async () => {
    const { code } = await command('tools', 'list', '--url', url);
    expect(code).toBe(1);
  });
});
