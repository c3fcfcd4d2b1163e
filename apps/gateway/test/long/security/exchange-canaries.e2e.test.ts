import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import {
  createLoopbackCertificate,
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callTool, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';

const RESOURCE = 'https://gateway.test/mcp';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** Short, so that it also fits where a short code of an error belongs. */
const secret = (): string => `canary-${randomBytes(9).toString('hex')}`;
const EXCHANGE_CLIENT = { name: 'remote', id: 'cluster-gateway', secret: secret() };
const INTROSPECTION_SECRET = secret();

/** All secrets that the test saw, by what they are. */
const secrets = new Map<string, string>([
  [EXCHANGE_CLIENT.secret, 'client secret of the exchange'],
  [INTROSPECTION_SECRET, 'client secret of the introspection'],
]);

/** Notes a token, and each of its parts that is long enough to be used. */
const note = (kind: string, token: string): void => {
  secrets.set(token, kind);
  for (const part of token.split('.').slice(1))
    if (part.length >= 16) secrets.set(part, `part of ${kind}`);
};

const partOf = (token: string): string => token.split('.')[1] ?? '';

const jwtOf = (claims: object): string =>
  [{ alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('signature')
    .join('.');

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a hostile endpoint does with the token and the client secret that it receives. */
const HOSTILE: Readonly<Record<string, (token: string, own: string) => Answer>> = {
  described: (token) => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: `refused: ${token}`, error_uri: token },
  }),
  code: (token) => ({ status: 400, body: { error: partOf(token).slice(0, 60) } }),
  secret: () => ({ status: 400, body: { error: EXCHANGE_CLIENT.secret } }),
  text: (token) => ({ status: 500, body: token }),
  challenge: (token) => ({
    status: 401,
    headers: { 'www-authenticate': `Bearer error="${token}"` },
    body: {},
  }),
  redirect: (token, own) => ({
    status: 302,
    headers: { location: `${own}/described?token=${token}` },
    body: {},
  }),
  malformed: (token) => ({ status: 200, body: { access_token: ` ${token}`, token_type: token } }),
  issuer: (token) => ({
    status: 200,
    body: { access_token: jwtOf({ iss: `https://${partOf(token)}` }), token_type: 'Bearer' },
  }),
  accepted: (_token, own) => {
    const issued = jwtOf({ iss: own, exp: 9e9, jti: randomBytes(24).toString('hex') });
    note('token of the hostile endpoint', issued);
    return { status: 200, body: { access_token: issued, token_type: 'Bearer' } };
  },
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

const send = (response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
};

/** The paths at which hostile endpoints received a token. */
const reached = new Set<string>();

/** Starts endpoints of token exchange that repeat what they receive. */
const startHostileExchange = async () => {
  const server = createTlsServer(await createLoopbackCertificate(), (request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'https://a');
      const token = new URLSearchParams(body).get('subject_token') ?? '';
      if (token !== '') reached.add(pathname);
      const answer = HOSTILE[pathname.slice(1)];
      send(response, answer?.(token, url) ?? { status: 404, body: {} });
    });
  });
  const url = `https://${await listening(server)}`;
  return { server, url };
};

/** Starts an issuer whose tokens are opaque. A token says what its introspection answers. */
const startIntrospection = async () => {
  const server = createHttpServer((request, response) => {
    void bodyOf(request).then((body) => {
      const token = new URLSearchParams(body).get('token') ?? '';
      if (token !== '') reached.add(`/${token.split('-')[1] ?? ''}`);
      const active = { active: true, sub: 'ben', aud: RESOURCE, scope: 'mcp:read' };
      const answers: Readonly<Record<string, Answer>> = {
        active: { status: 200, body: active },
        inactive: { status: 200, body: { active: false, error: token, token } },
        foreign: { status: 200, body: { ...active, iss: `https://${token}`, aud: token } },
        unreadable: { status: 200, body: `{"token":"${token}` },
        failing: { status: 500, body: { error: token, secret: INTROSPECTION_SECRET } },
        leading: { status: 307, headers: { location: `/?token=${token}` }, body: { token } },
      };
      send(response, answers[token.split('-')[1] ?? ''] ?? { status: 404, body: {} });
    });
  });
  const issuer = `http://${await listening(server)}`;
  return { server, issuer };
};

/** An MCP server that repeats the token of a request in its refusal. */
const startEcho = async () => {
  const server = createHttpServer((request, response) => {
    const { authorization = '' } = request.headers;
    send(response, {
      status: authorization === '' ? 401 : 403,
      headers: { 'www-authenticate': `Bearer error="${authorization}"` },
      body: { error: authorization, message: authorization },
    });
  });
  return { server, url: `http://${await listening(server)}/mcp` };
};

const directory = createTestConfigDirectory();
/** What the gateway answered. */
const outputs: string[] = [];
let home: TestProvider;
let remote: TestProvider;
let cluster: ProtectedServer;
let opaque: Awaited<ReturnType<typeof startIntrospection>>;
let hostile: Awaited<ReturnType<typeof startHostileExchange>>;
let echo: Awaited<ReturnType<typeof startEcho>>;
let gateway: RunningGateway;

const exchanging = (url: string, dexTokenEndpoint: string, issuer?: string): object => ({
  ...{ type: 'streamable-http', url, autoStart: true },
  auth: {
    type: 'oauth',
    tokenExchange: {
      ...{ enabled: true, dexTokenEndpoint, connectorId: 'home' },
      ...(issuer !== undefined && { expectedIssuer: issuer }),
      clientCredentialsSecretRef: { name: EXCHANGE_CLIENT.name },
    },
  },
});

const configure = async (): Promise<void> => {
  const { name } = EXCHANGE_CLIENT;
  const files = { 'client-id': EXCHANGE_CLIENT.id, 'client-secret': EXCHANGE_CLIENT.secret };
  for (const [key, value] of Object.entries(files)) {
    directory.write(`secrets/${name}/${key}`, value);
    chmodSync(join(directory.path, `secrets/${name}/${key}`), 0o600);
  }
  directory.write('introspection-secret', INTROSPECTION_SECRET);
  directory.write('authority.pem', (await createLoopbackCertificate()).cert);
  const introspection = {
    ...{ endpoint: `${opaque.issuer}/`, clientId: 'gateway' },
    clientSecretFile: 'introspection-secret',
  };
  directory.config({
    http: { publicUrl: 'https://gateway.test' },
    audit: { file: 'logs/audit.log' },
    auth: {
      ...{ mode: 'resource-server', allowPrivate: true },
      issuers: [
        { issuer: home.issuer, forwardable: true },
        { issuer: opaque.issuer, introspection },
      ],
    },
  });
  directory.server('cluster', exchanging(cluster.url, `${remote.issuer}/token`));
  for (const name of Object.keys(HOSTILE))
    directory.server(`to-${name}`, exchanging(echo.url, `${hostile.url}/${name}`, hostile.url));
};

beforeAll(async () => {
  home = await startProvider();
  remote = await startProvider({
    ...{ tls: true, trustedIssuers: [home.issuer] },
    clients: [
      {
        ...{ client_id: EXCHANGE_CLIENT.id, client_secret: EXCHANGE_CLIENT.secret },
        ...{ grant_types: [EXCHANGE], redirect_uris: [], response_types: [] },
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
  });
  cluster = await startProtectedServer({
    ...{ issuers: [remote.issuer], audiences: [EXCHANGE_CLIENT.id] },
  });
  [opaque, hostile, echo] = await Promise.all([
    startIntrospection(),
    startHostileExchange(),
    startEcho(),
  ]);
  await configure();
  gateway = await startGateway(directory.path, {
    args: ['--log-level', 'trace'],
    env: { NODE_EXTRA_CA_CERTS: join(directory.path, 'authority.pem') },
  });
});

afterAll(async () => {
  for (const { server } of [opaque, hostile, echo]) server.close();
  await Promise.all([cluster.close(), remote.close(), home.close()]);
  directory.remove();
});

const clientOf = (token: string): Promise<TestClient> =>
  connect(gateway.url, { authorization: `Bearer ${token}` });

const say = async (client: TestClient, tool: string, args: object = {}): Promise<string> => {
  const result = await callTool(client, tool, { ...args });
  outputs.push(JSON.stringify(result));
  return textOf(result);
};

const inspect = async (client: TestClient): Promise<void> => {
  for (const tool of ['core_mcpserver_list', 'core_service_list', 'core_events', 'core_config_get'])
    await say(client, tool);
  for (const name of Object.keys(HOSTILE)) {
    await say(client, 'core_mcpserver_get', { name: `to-${name}` });
    await say(client, 'core_auth_login', { server: `to-${name}` });
    await say(client, `x_to-${name}_whoami`);
  }
};

const filesBelow = (path: string): readonly string[] =>
  readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    return statSync(file).isDirectory() ? filesBelow(file) : [file];
  });

const SETTINGS = /authority\.pem$|introspection-secret$|\/secrets\//u;

const expectNoSecret = (): void => {
  const files = filesBelow(directory.path).filter((file) => !SETTINGS.test(file));
  const output = [
    ...[...gateway.stderr, ...gateway.stdout, ...outputs],
    ...files.map((file) => readFileSync(file, 'utf8')),
  ].join('\n');
  expect(output).toContain('gateway_token_exchanges_total{server="cluster",outcome="ok"}');
  expect(output).toContain('MCPServerTokenExchangeFailed');
  expect([...secrets].filter(([each]) => output.includes(each)).map(([, kind]) => kind)).toEqual(
    [],
  );
  expect(output).not.toMatch(/eyJ[\w-]{10,}\.eyJ/u);
};

it('keeps the tokens of exchanges and introspections, and what hostile endpoints make of them, out of everything that it writes and answers', async () => {
  const claims = { sub: 'ada', aud: RESOURCE, scope: 'mcp:read' };
  const token = await home.sign(claims);
  note('token of a caller', token);
  note('start of the claims of a caller', partOf(token).slice(0, 60));
  const ada = await clientOf(token);
  await retryAssertion(async () => {
    expect(await say(ada, 'x_cluster_whoami')).toContain('ada');
    for (const name of Object.keys(HOSTILE)) expect(reached).toContain(`/${name}`);
  });
  cluster.rejectNext(3);
  await say(ada, 'x_cluster_whoami');
  await inspect(ada);
  for (const kind of ['active', 'inactive', 'foreign', 'unreadable', 'failing', 'leading']) {
    const bearer = `opaque-${kind}-${randomBytes(24).toString('hex')}`;
    note(`opaque token that is ${kind}`, bearer);
    const ben = await clientOf(bearer).catch((error: unknown) => void outputs.push(String(error)));
    if (kind !== 'active') expect(ben).toBeUndefined();
    await ben?.close();
    expect(reached).toContain(`/${kind}`);
    const answer = await fetch(new URL('/mcp', gateway.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: '{}',
    });
    outputs.push(await answer.text(), JSON.stringify([...answer.headers]));
  }
  outputs.push(await (await fetch(new URL('/metrics', gateway.url))).text());
  await ada.close();
  await gateway.stop();
  expectNoSecret();
});
