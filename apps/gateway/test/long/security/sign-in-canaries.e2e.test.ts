import { retryAssertion, type ConfigDirectory } from '@gateway/repo-checks';
import {
  CookieBrowser,
  signIn,
  startProtectedServer,
  startProvider,
  startRedis,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { createHash, randomBytes } from 'node:crypto';
import { connect as connectTo } from 'node:net';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REDIRECT } from '../../harness/broker-token.ts';
import { callTool, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { atEnd, closing, testDirectory } from '../../harness/lifetime.ts';
import { newSecret, unsignedToken, filesBelow, Secrets } from '../../harness/secrets.ts';
import { startBrokerProvider, brokerAuth } from '../../harness/broker-gateway.ts';
import { listenHttp, sendJson } from '../../harness/http-listener.ts';

const RESOURCE_CLIENT = { client_id: 'resource', client_secret: newSecret() };
const CLIENT_SECRET = newSecret();
/** Sent in places where a token or a code belongs, and repeated in errors of peers. */
const FORGED = `canary${randomBytes(24).toString('hex')}`;
const FORGED_JWT = unsignedToken({ iss: 'x', sub: FORGED });
const STATE_KEY = randomBytes(32).toString('base64');

const secrets = new Secrets();
secrets.note('client secret', CLIENT_SECRET);
secrets.note('client secret of a server', RESOURCE_CLIENT.client_secret);
secrets.note('state key', STATE_KEY);
secrets.note('forged token', FORGED);
secrets.note('forged JWT', FORGED_JWT);

/** What the gateway wrote and answered. */
const outputs: string[] = [];

/** A browser whose cookies are secrets. */
class NotingBrowser extends CookieBrowser {
  override async request(url: URL, init: RequestInit = {}): Promise<Response> {
    const response = await super.request(url, init);
    for (const line of response.headers.getSetCookie())
      secrets.note(`cookie of ${url.port}`, line.split(';', 1)[0]?.split('=').slice(1).join('='));
    return response;
  }
}

let provider: TestProvider;
let opaque: TestProvider;
let hidden: ProtectedServer;
let directory: ConfigDirectory;
let gateway: RunningGateway;
let origin: string;
/** Every command that the state server received, with its keys and values. */
let commands: string;

/** A server that repeats the token of a request in the body of its refusal. */
const startEcho = async (issuer: string): Promise<string> => {
  const self = await listenHttp(({ url, headers: { authorization } }, response) => {
    secrets.note('token at a hostile server', authorization?.replace('Bearer ', ''));
    if (url?.startsWith('/.well-known/oauth-protected-resource') === true)
      sendJson(response, {
        resource: `${self}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ['mcp'],
      });
    else if (authorization === undefined)
      sendJson(response, '', 401, { 'www-authenticate': 'Bearer' });
    else sendJson(response, { error: authorization, message: authorization }, 400);
  });
  return `${self}/mcp`;
};

/** Starts a state server, and records what it receives. */
const startRedisWithMonitor = async (): Promise<string> => {
  const { port, url } = await closing(startRedis());
  commands = '';
  const monitor = connectTo(port, '127.0.0.1');
  atEnd(() => monitor.destroy());
  monitor.on('data', (bytes: Buffer) => {
    commands += bytes.toString('latin1');
  });
  monitor.write('MONITOR\r\n');
  await retryAssertion(() => {
    expect(commands).toContain('+OK');
  });
  return url.href;
};

const start = async (state?: object): Promise<void> => {
  outputs.length = 0;
  browser = new NotingBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
  const started = await startBrokerProvider({}, CLIENT_SECRET);
  ({ provider } = started);
  const { port } = started;
  origin = `http://127.0.0.1:${String(port)}`;
  opaque = await closing(
    startProvider({
      // Its tokens are opaque, and for all servers.
      resourceIndicators: false,
      clients: [{ ...RESOURCE_CLIENT, grant_types: [], response_types: [], redirect_uris: [] }],
    }),
  );
  const { issuer } = provider;
  const notes = await closing(
    startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
  );
  hidden = await closing(
    startProtectedServer({
      ...{ issuers: [opaque.issuer], scopesSupported: ['mcp'], audiences: 'any' },
      introspection: {
        endpoint: `${opaque.issuer}/token/introspection`,
        clientId: RESOURCE_CLIENT.client_id,
        clientSecret: RESOURCE_CLIENT.client_secret,
      },
    }),
  );
  directory = testDirectory();
  directory.config({
    ...(state === undefined ? {} : { state }),
    audit: { file: 'logs/audit.log' },
    auth: brokerAuth(directory, issuer, { allowPrivate: true }),
  });
  directory.write('client-secret', CLIENT_SECRET);
  const oauth = { type: 'streamable-http', autoStart: true, auth: { type: 'oauth' } };
  directory.server('notes', { ...oauth, url: notes.url });
  directory.server('hidden', { ...oauth, url: hidden.url });
  directory.server('echo', { ...oauth, url: await startEcho(issuer) });
  directory.server('forwarded', {
    ...oauth,
    url: notes.url,
    auth: { type: 'oauth', forwardToken: true },
  });
  gateway = await startGateway(directory.path, {
    args: ['--port', String(port), '--log-level', 'debug'],
    env: { GATEWAY_STATE_KEY: STATE_KEY },
  });
};

let browser: NotingBrowser;

const tokenRequest = async (fields: Readonly<Record<string, string>>) => {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'gateway-cli', ...fields }),
  });
  return { status: response.status, text: await response.text() };
};

/** Signs a user in to the gateway, and returns the access token. */
const signInToGateway = async (): Promise<string> => {
  const [verifier, state] = [0, 1].map(() => randomBytes(32).toString('base64url')) as [
    string,
    string,
  ];
  secrets.note('verifier of a client', verifier);
  secrets.note('state of a client', state);
  const url = new URL(`${origin}/oauth/authorize`);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  for (const [name, value] of Object.entries({
    ...{ client_id: 'gateway-cli', redirect_uri: REDIRECT, response_type: 'code', state },
    ...{ scope: 'openid offline_access mcp:read', prompt: 'consent' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${origin}/mcp` },
  }))
    url.searchParams.set(name, value);
  const page = await signIn(url, createTestUser('ada'), { browser });
  const code = new URL(page.url).searchParams.get('code') ?? '';
  secrets.note('code of the gateway', code);
  const { text } = await tokenRequest({
    ...{ grant_type: 'authorization_code', redirect_uri: REDIRECT, code, code_verifier: verifier },
  });
  const tokens = JSON.parse(text) as Readonly<Record<string, string>>;
  for (const kind of ['access_token', 'refresh_token', 'id_token']) {
    expect(tokens[kind], text).toBeTypeOf('string');
    secrets.note(`${kind} of the gateway`, tokens[kind]);
  }
  return tokens['access_token'] ?? '';
};

const BODY_OF_FAULT = JSON.stringify({
  error: FORGED,
  error_description: `the token ${FORGED_JWT} is refused`,
});

/** Signs in to a server in the browser. */
const signInToServer = async (client: TestClient, server: string): Promise<void> => {
  const result = await callTool(client, 'core_auth_login', { server });
  outputs.push(JSON.stringify({ ...result, structuredContent: undefined, content: undefined }));
  const { authUrl } = (result.structuredContent ?? {}) as { readonly authUrl?: string };
  if (authUrl === undefined) throw new Error(textOf(result));
  outputs.push((await signIn(authUrl, createTestUser('ada'), { browser })).text);
};

/** Everything that fails on the way. */
const fail = async (client: TestClient): Promise<void> => {
  const open = async (path: string): Promise<void> => {
    outputs.push((await browser.open(origin + path)).text);
  };
  const error = `error=access_denied&error_description=${FORGED}&error_uri=${FORGED}`;
  for (const callback of ['/oauth/proxy/callback', '/oauth/upstream/callback']) {
    await open(`${callback}?state=${FORGED}&${error}`);
    await open(`${callback}?state=${FORGED}&code=${FORGED}`);
    await open(`${callback}?code=${FORGED}`);
  }
  await open(`/oauth/authorize?client_id=${FORGED}&redirect_uri=http://127.0.0.1/${FORGED}`);
  await open(`/oauth/proxy/start?state=${FORGED}`);
  for (const fields of [
    { grant_type: 'refresh_token', refresh_token: FORGED },
    {
      grant_type: 'authorization_code',
      code: FORGED,
      redirect_uri: REDIRECT,
      code_verifier: FORGED,
    },
    { grant_type: FORGED, client_secret: FORGED },
  ])
    outputs.push((await tokenRequest(fields)).text);
  for (const authorization of [`Bearer ${FORGED}`, `Bearer ${FORGED_JWT}`, `Basic ${FORGED}`]) {
    const response = await fetch(`${origin}/mcp`, { method: 'POST', headers: { authorization } });
    outputs.push(await response.text(), JSON.stringify([...response.headers]));
  }
  outputs.push(await (await fetch(`${origin}/mcp?access_token=${FORGED}`)).text());
  provider.setFault(({ path }) =>
    path === '/token' ? { status: 400, body: BODY_OF_FAULT } : undefined,
  );
  await signInToServer(client, 'echo');
  provider.setFault(undefined);
  await signInToServer(client, 'echo');
  outputs.push(JSON.stringify(await callTool(client, 'x_echo_tool')));
  opaque.setFault(({ path }) =>
    path === '/token' ? { status: 500, body: BODY_OF_FAULT } : undefined,
  );
  hidden.revoke('ada');
  hidden.rejectNext(3);
  outputs.push(JSON.stringify(await callTool(client, 'x_hidden_whoami')));
};

const PARAMETERS = [
  'code',
  'state',
  'nonce',
  'code_verifier',
  'refresh_token',
  'client_secret',
  'token',
];

const noteParameters = (of: TestProvider, name: string): void => {
  for (const { parameters } of of.requests)
    for (const parameter of PARAMETERS)
      secrets.note(`${parameter} at ${name}`, parameters[parameter]);
};

const expectNoSecretInOutputs = async (): Promise<void> => {
  const token = await signInToGateway();
  const client = await connect(gateway.url, { authorization: `Bearer ${token}` });
  for (const server of ['notes', 'hidden']) {
    await signInToServer(client, server);
    await retryAssertion(async () => {
      expect(textOf(await callTool(client, `x_${server}_whoami`))).toContain('ada');
    });
  }
  await fail(client);
  for (const name of ['core_mcpserver_list', 'core_service_list', 'core_events', 'core_config_get'])
    outputs.push(textOf(await callTool(client, name)));
  outputs.push(textOf(await callTool(client, 'core_auth_logout', { server: 'notes' })));
  outputs.push(await (await fetch(`${origin}/metrics`)).text());
  noteParameters(provider, 'the provider');
  noteParameters(opaque, 'the opaque provider');
  await gateway.stop();
  const files = filesBelow(directory.path).filter((file) => !file.endsWith('client-secret'));
  for (const file of files) outputs.push(readFileSync(file, 'utf8'));
  const output = [...gateway.stderr, ...gateway.stdout, ...outputs].join('\n');
  expect(secrets.kinds).toEqual(
    expect.arrayContaining([
      'access_token of the gateway',
      'code_verifier at the provider',
      'token at the opaque provider',
      'token at a hostile server',
    ]),
  );
  expect(output).toContain('"action":"server.sign-in"');
  expect(output).toContain('MCPServerSignInFailed');
  expect(secrets.foundIn(output)).toEqual([]);
};

it('keeps all secrets of sign-ins and of their failures out of everything that it writes and answers', async () => {
  await start();
  await expectNoSecretInOutputs();
});

it('with a state server keeps all secrets out of everything that it writes, answers and sends to it', async () => {
  await start({ store: 'redis', url: await startRedisWithMonitor() });
  await expectNoSecretInOutputs();
  expect(commands).toMatch(/"(?:set|evalsha|eval)"/iu);
  expect(secrets.foundIn(commands)).toEqual([]);
});
