import { retryAssertion } from '@gateway/repo-checks';
import {
  createLoopbackCertificate,
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { closing, setUp, testDirectory } from '../../harness/lifetime.ts';
import { newSecret, unsignedToken, filesBelow, Secrets } from '../../harness/secrets.ts';
import { listenHttp, sendJson } from '../../harness/http-listener.ts';

const RESOURCE = 'https://gateway.test/mcp';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const EXCHANGE_CLIENT = { name: 'remote', id: 'cluster-gateway', secret: newSecret() };
const INTROSPECTION_SECRET = newSecret();

const secrets = new Secrets();
secrets.note('client secret of the exchange', EXCHANGE_CLIENT.secret);
secrets.note('client secret of the introspection', INTROSPECTION_SECRET);

const partOf = (token: string): string => token.split('.')[1] ?? '';

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
    body: {
      access_token: unsignedToken({ iss: `https://${partOf(token)}` }),
      token_type: 'Bearer',
    },
  }),
  accepted: (_token, own) => {
    const issued = unsignedToken({ iss: own, exp: 9e9, jti: randomBytes(24).toString('hex') });
    secrets.noteToken('token of the hostile endpoint', issued);
    return { status: 200, body: { access_token: issued, token_type: 'Bearer' } };
  },
};

const send = (response: ServerResponse, { status, headers, body }: Answer): void => {
  sendJson(response, body, status, headers);
};

/** The paths at which hostile endpoints received a token. */
const reached = new Set<string>();

/** Starts endpoints of token exchange that repeat what they receive. */
const startHostileExchange = async (): Promise<string> => {
  const url = await listenHttp(
    (request, response, body) => {
      const { pathname } = new URL(request.url ?? '/', 'https://a');
      const token = new URLSearchParams(body).get('subject_token') ?? '';
      if (token !== '') reached.add(pathname);
      const answer = HOSTILE[pathname.slice(1)];
      send(response, answer?.(token, url) ?? { status: 404, body: {} });
    },
    await createLoopbackCertificate(),
  );
  return url;
};

/** Starts an issuer whose tokens are opaque. A token says what its introspection answers. */
const startIntrospection = () =>
  listenHttp((_request, response, body) => {
    const token = new URLSearchParams(body).get('token') ?? '';
    const kind = token.split('-')[1] ?? '';
    if (token !== '') reached.add(`/${kind}`);
    const active = { active: true, sub: 'ben', aud: RESOURCE, scope: 'mcp:read' };
    const answers: Readonly<Record<string, Answer>> = {
      active: { status: 200, body: active },
      inactive: { status: 200, body: { active: false, error: token, token } },
      foreign: { status: 200, body: { ...active, iss: `https://${token}`, aud: token } },
      unreadable: { status: 200, body: `{"token":"${token}` },
      failing: { status: 500, body: { error: token, secret: INTROSPECTION_SECRET } },
      leading: { status: 307, headers: { location: `/?token=${token}` }, body: { token } },
    };
    send(response, answers[kind] ?? { status: 404, body: {} });
  });

/** An MCP server that repeats the token of a request in its refusal. */
const startEcho = () =>
  listenHttp(({ headers: { authorization = '' } }, response) => {
    send(response, {
      status: authorization === '' ? 401 : 403,
      headers: { 'www-authenticate': `Bearer error="${authorization}"` },
      body: { error: authorization, message: authorization },
    });
  });

const directory = testDirectory();
/** What the gateway answered. */
const outputs: string[] = [];
let home: TestProvider;
let cluster: ProtectedServer;
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
  home = await closing(startProvider());
  const remote = await closing(
    startProvider({
      ...{ tls: true, trustedIssuers: [home.issuer] },
      clients: [
        {
          ...{ client_id: EXCHANGE_CLIENT.id, client_secret: EXCHANGE_CLIENT.secret },
          ...{ grant_types: [EXCHANGE], redirect_uris: [], response_types: [] },
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    }),
  );
  cluster = await closing(
    startProtectedServer({ issuers: [remote.issuer], audiences: [EXCHANGE_CLIENT.id] }),
  );
  const [opaque, hostile, echo] = await Promise.all([
    startIntrospection(),
    startHostileExchange(),
    startEcho(),
  ]);
  const { name } = EXCHANGE_CLIENT;
  const files = { 'client-id': EXCHANGE_CLIENT.id, 'client-secret': EXCHANGE_CLIENT.secret };
  for (const [key, value] of Object.entries(files)) {
    directory.write(`secrets/${name}/${key}`, value);
    chmodSync(join(directory.path, `secrets/${name}/${key}`), 0o600);
  }
  directory.write('introspection-secret', INTROSPECTION_SECRET);
  directory.write('authority.pem', (await createLoopbackCertificate()).cert);
  const introspection = {
    ...{ endpoint: `${opaque}/`, clientId: 'gateway' },
    clientSecretFile: 'introspection-secret',
  };
  directory.config({
    http: { publicUrl: 'https://gateway.test' },
    audit: { file: 'logs/audit.log' },
    auth: {
      ...{ mode: 'resource-server', allowPrivate: true },
      issuers: [
        { issuer: home.issuer, forwardable: true },
        { issuer: opaque, introspection },
      ],
    },
  });
  directory.server('cluster', exchanging(cluster.url, `${remote.issuer}/token`));
  for (const name of Object.keys(HOSTILE))
    directory.server(`to-${name}`, exchanging(`${echo}/mcp`, `${hostile}/${name}`, hostile));
};

setUp(async () => {
  await configure();
  gateway = await startGateway(directory.path, {
    args: ['--log-level', 'trace'],
    env: { NODE_EXTRA_CA_CERTS: join(directory.path, 'authority.pem') },
  });
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

const SETTINGS = /authority\.pem$|introspection-secret$|\/secrets\//u;

const expectNoSecret = (): void => {
  const files = filesBelow(directory.path).filter((file) => !SETTINGS.test(file));
  const output = [
    ...[...gateway.stderr, ...gateway.stdout, ...outputs],
    ...files.map((file) => readFileSync(file, 'utf8')),
  ].join('\n');
  expect(output).toContain('gateway_token_exchanges_total{server="cluster",outcome="ok"}');
  expect(output).toContain('MCPServerTokenExchangeFailed');
  expect(secrets.foundIn(output)).toEqual([]);
};

it('keeps the tokens of exchanges and introspections, and what hostile endpoints make of them, out of everything that it writes and answers', async () => {
  const claims = { sub: 'ada', aud: RESOURCE, scope: 'mcp:read' };
  const token = await home.sign(claims);
  secrets.noteToken('token of a caller', token);
  secrets.note('start of the claims of a caller', partOf(token).slice(0, 60));
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
    secrets.note(`opaque token that is ${kind}`, bearer);
    const ben = await clientOf(bearer).catch((error: unknown) => void outputs.push(String(error)));
    if (kind !== 'active') expect(ben).toBeUndefined();
    expect(reached).toContain(`/${kind}`);
    const answer = await fetch(new URL('/mcp', gateway.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: '{}',
    });
    outputs.push(await answer.text(), JSON.stringify([...answer.headers]));
  }
  outputs.push(await (await fetch(new URL('/metrics', gateway.url))).text());
  await gateway.stop();
  expectNoSecret();
});
