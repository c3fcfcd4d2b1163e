import { retryAssertion } from '@gateway/repo-checks';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, callTool, serverInfo } from '../../harness/answers.ts';
import { connect } from '../../harness/clients.ts';
import { fixture } from '../../harness/fixture.ts';
import { findFreePort } from '@gateway/test-peers';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from '../../harness/http-mcp-server.ts';
import { setUp, testDirectory } from '../../harness/lifetime.ts';
import { descendantsOf } from '../../harness/living-process.ts';
import { rawRequest, rawSession } from '../../harness/raw-http.ts';
import { newSecret, carries, filesBelow, textsBelow } from '../../harness/secrets.ts';

/** Secrets of the operator: they may be in the files of the operator and at the server that they are for, and nowhere else. */
const OPERATOR = ['env', 'header', 'query', 'refused-query', 'failing-env', 'bad-env'] as const;
/** Secrets of a caller that no record needs. */
const CALLER = [
  'authorization',
  'cookie',
  'custom-header',
  'elicited',
  'argument',
  'result',
] as const;
/** Values of a workflow run: they are in its record, for those who may read it. */
const RUN = ['input', 'template-failure'] as const;

type Place = (typeof OPERATOR)[number] | (typeof CALLER)[number] | (typeof RUN)[number];

const CANARIES = new Map<Place, string>(
  [...OPERATOR, ...CALLER, ...RUN].map((place) => [place, `${newSecret()}-${place}`]),
);
const canary = (place: Place): string => CANARIES.get(place) ?? '';
const SESSION_KEY = randomBytes(32).toString('hex');

/** Returns the places whose canary is in a text. */
const foundIn = (text: string, more: readonly string[] = []): readonly string[] => [
  ...[...CANARIES].filter(([, secret]) => carries(text, secret)).map(([place]) => place),
  ...more.filter((secret) => text.includes(secret)),
];

const directory = testDirectory();
let remote: HttpMcpServer;
const sessions: string[] = [];

const HEADERS: Readonly<Record<string, string>> = {
  authorization: `Bearer ${canary('authorization')}`,
  cookie: `id=${canary('cookie')}`,
  'x-api-key': canary('custom-header'),
};

setUp(async () => {
  remote = await httpMcpServer();
  directory.config({
    workflows: { executionsDirectory: 'runs' },
    audit: { file: 'logs/audit.log' },
  });
  directory.server(
    'plain',
    fixture('plain', { env: { TOKEN: canary('env'), CHATTER: canary('env') } }),
  );
  directory.server('asking', fixture('asking'));
  directory.server('dying', fixture('dying', { env: { TOKEN: canary('failing-env') } }));
  directory.server('broken', { type: 'stdio', env: { TOKEN: canary('bad-env') }, comand: 'x' });
  const http = { type: 'streamable-http', autoStart: true };
  const headers = { Authorization: `Bearer ${canary('header')}` };
  directory.server('remote', { ...http, url: `${remote.url}?key=${canary('query')}`, headers });
  const nowhere = `http://127.0.0.1:${String(await findFreePort())}/mcp`;
  directory.server('gone', { ...http, url: `${nowhere}?key=${canary('refused-query')}` });
  directory.workflow('echoes', {
    args: { text: { type: 'string' } },
    steps: [{ id: 'a', tool: 'x_plain_echo', args: { text: '{{ .input.text }}' } }],
  });
  directory.workflow('fails', {
    args: { text: { type: 'string' } },
    steps: [{ id: 'a', tool: 'x_plain_echo', args: { text: '{{ index .input.text 99 }}' } }],
  });
});

/** Sends every canary of a caller, in successful and in failing requests. */
async function callWithCanaries({ url }: RunningGateway): Promise<void> {
  const client = await connect(url, { ...HEADERS });
  await callTool(client, 'x_plain_echo', { text: canary('argument') });
  await callTool(client, 'x_plain_none', { text: canary('argument') });
  await callTool(client, 'workflow_echoes', { text: canary('input') });
  await callTool(client, 'workflow_fails', { text: canary('template-failure') });
  await callTool(client, 'x_remote_hello', { name: canary('argument') });
  remote.behaviour = 'garbage';
  await callTool(client, 'x_remote_hello', { name: canary('argument') });
  remote.behaviour = 'serve';
  await client.close();
  const session = await rawSession(url);
  sessions.push(session);
  const common = [...Object.entries(HEADERS), ['content-type', 'application/json']] as const;
  const accept = ['accept', 'application/json, text/event-stream'] as const;
  await rawRequest(url, {
    headers: [...common, accept, ['mcp-session-id', session]],
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${canary('argument')}"}}`,
  });
  await rawRequest(url, { headers: [...common, accept], body: `{"${canary('argument')}` });
  await rawRequest(url, { headers: [...common, accept, ['host', canary('custom-header')]] });
  await answerQuestion(url, [...common, accept]);
}

const PREFIX = 'io.modelcontextprotocol';

/** Answers the question of a server with a secret, as a client of 2026-07-28. */
async function answerQuestion(
  url: URL,
  headers: readonly (readonly [string, string])[],
): Promise<void> {
  const send = async (more: object): Promise<Record<string, unknown>> => {
    const _meta = {
      [`${PREFIX}/protocolVersion`]: '2026-07-28',
      [`${PREFIX}/clientCapabilities`]: { elicitation: { form: {} } },
    };
    const params = { name: 'call_tool', arguments: { name: 'x_asking_who', arguments: {} }, _meta };
    const { body } = await rawRequest(url, {
      headers: [
        ...headers,
        ['mcp-protocol-version', '2026-07-28'],
        ['mcp-method', 'tools/call'],
        ['mcp-name', 'call_tool'],
      ],
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...params, ...more },
      }),
    });
    return (JSON.parse(body) as { result: Record<string, unknown> }).result;
  };
  const asked = await send({});
  const [question] = Object.keys(asked['inputRequests'] as object);
  const answer = { action: 'accept', content: { name: canary('elicited') } };
  const answered = await send({
    inputResponses: { [String(question)]: answer },
    requestState: asked['requestState'],
  });
  expect(JSON.stringify(answered)).toContain(canary('elicited'));
}

/** The answers that another caller gets about the gateway and its servers. */
async function answersToOthers({ url }: RunningGateway): Promise<string> {
  const client = await connect(url);
  const core = async (name: string, args = {}) =>
    JSON.stringify(await callTool(client, name, args));
  const texts = [
    await core('core_events', { limit: 1000 }),
    await core('core_mcpserver_list', { showAll: true, verbose: true }),
    ...(await Promise.all(
      ['plain', 'asking', 'dying', 'remote', 'gone', 'broken'].map((name) =>
        core('core_mcpserver_get', { name }),
      ),
    )),
    await core('core_service_list'),
    await core('core_service_status', { name: 'remote' }),
    await core('core_config_get'),
    await core('core_config_get_aggregator'),
    await core('x_gone_hello'),
    await core('x_plain_none'),
    JSON.stringify(await ask(client, 'list_tools', { limit: 1_000 })),
    (await rawRequest(url, { method: 'GET', path: '/readyz' })).body,
    (await rawRequest(url, { method: 'GET', path: '/' })).body,
    (await rawRequest(url, { body: '{' })).body,
  ];
  await client.close();
  return texts.join('\n');
}

const commandLines = (pid: number): string =>
  [pid, ...descendantsOf(pid)]
    .map((one) => {
      try {
        return readFileSync(`/proc/${String(one)}/cmdline`, 'utf8');
      } catch {
        // It has ended.
        return '';
      }
    })
    .join('\n');

it.each([
  ['json', 'debug'],
  ['json', 'info'],
  ['text', 'debug'],
] as const)(
  'secrets with --log-format %s --log-level %s reach the servers that they are for, and nothing else',
  async (format, level) => {
    const gateway = await startGateway(directory.path, {
      args: ['--log-level', level, '--log-format', format],
      env: { GATEWAY_SESSION_KEY: SESSION_KEY },
    });
    const client = await connect(gateway.url);
    await retryAssertion(async () => {
      for (const name of ['plain', 'asking', 'remote'])
        expect((await serverInfo(client, name)).state).toMatch(/^(?:Running|Connected)$/u);
    });
    await callWithCanaries(gateway);
    const answers = await answersToOthers(gateway);
    const metrics = (await rawRequest(gateway.url, { method: 'GET', path: '/metrics' })).body;
    const commands = commandLines(gateway.child.pid ?? 0);
    await client.close();
    await gateway.stop();
    expect(remote.requests.at(-1)?.headers.authorization).toBe(`Bearer ${canary('header')}`);
    const own = readFileSync(join(directory.path, 'mcpservers/plain.yaml'), 'utf8');
    expect(foundIn(own)).toEqual(['env']);
    // The audit log has the name that a caller calls.
    const named = `"metaTool":${JSON.stringify(canary('argument'))},`;
    const audit = readFileSync(join(directory.path, 'logs/audit.log'), 'utf8');
    expect(audit).toContain(named);
    expect(gateway.stderr.length).toBeGreaterThan(2);
    const places = {
      log: [...gateway.stdout, ...gateway.stderr].join('\n'),
      ...{ metrics, answers, commands, audit: audit.replaceAll(named, '') },
      state: textsBelow(join(directory.path, 'state')).join('\n'),
    };
    expect(places).toMatchObject({
      metrics: expect.stringContaining('gateway_meta_tool_calls_total') as string,
      answers: expect.stringContaining('MCPServer') as string,
      commands: expect.stringContaining('plain-server.mjs') as string,
    });
    for (const [place, text] of Object.entries(places))
      expect([place, foundIn(text, [SESSION_KEY, ...sessions])]).toEqual([place, []]);
    // The values of a run are in its record, which others cannot read.
    const records = filesBelow(join(directory.path, 'runs'));
    const found = records.flatMap((file) => foundIn(readFileSync(file, 'utf8')));
    expect(new Set(found)).toEqual(new Set(RUN));
    for (const file of records) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
  },
);
