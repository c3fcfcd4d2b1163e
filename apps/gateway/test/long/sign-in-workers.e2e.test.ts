import { text as textOfStream } from 'node:stream/consumers';
import { configDirectory } from '@gateway/repo-checks';
import {
  signIn,
  startProtectedServer,
  startProvider,
  testUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerToken } from '../harness/broker-token.ts';
import { connectionsToAll, type PinnedConnection } from '../harness/connection-owner.ts';
import { freePort } from '@gateway/test-peers';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { descendantsOf } from '../harness/living-process.ts';

const directory = configDirectory();
let provider: TestProvider;
let notes: ProtectedServer;
let gateway: RunningGateway;
let workers: readonly PinnedConnection[];

beforeAll(async () => {
  const port = await freePort();
  provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`http://127.0.0.1:${String(port)}/oauth/upstream/callback`],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
  directory.config({
    auth: {
      mode: 'broker',
      allowPrivate: true,
      broker: { upstream: { issuer: provider.issuer, clientId: 'gateway' } },
    },
  });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  const args = ['--workers', '2', '--port', String(port)];
  gateway = await startGateway(directory.path, { args });
  workers = await connectionsToAll(gateway.url, descendantsOf(gateway.child.pid ?? 0));
});

afterAll(async () => {
  for (const worker of workers) worker.close();
  await gateway.stop();
  await Promise.all([notes.close(), provider.close()]);
  directory.remove();
});

interface Answer {
  readonly status: number | undefined;
  readonly session: string | undefined;
  readonly text: string;
  readonly link: string;
}

interface Message {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: { readonly authUrl?: string };
  };
}

const messageOf = (body: string): Message => {
  const data = body.split('\n').findLast((line) => line.startsWith('data: {'));
  const json = data?.slice('data: '.length) ?? body;
  return json === '' ? {} : (JSON.parse(json) as Message);
};

const send = async (
  worker: PinnedConnection,
  token: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await worker.send({
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: { jsonrpc: '2.0', id: 1, ...body },
  });
  const { content = [], structuredContent } = messageOf(await textOfStream(response)).result ?? {};
  return {
    status: response.statusCode,
    session: response.headers['mcp-session-id']?.toString(),
    text: content.map(({ text }) => text).join('\n'),
    link: structuredContent?.authUrl ?? '',
  };
};

const call = (worker: PinnedConnection, token: string, name: string, args: object = {}) =>
  send(worker, token, {
    method: 'tools/call',
    params: { name: 'call_tool', arguments: { name, arguments: args } },
  });

const PEOPLE = Array.from({ length: 8 }, (_, index) => `person-${String(index)}`);

describe('a person who has just signed in', () => {
  it('to the gateway is served by each worker', async () => {
    for (const person of PEOPLE) {
      const token = await brokerToken(gateway.url, person);
      const answers = await Promise.all(
        workers.map((worker) => call(worker, token, 'core_service_list')),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('to a server has its tools at each worker', async () => {
    const [first, second] = workers;
    if (first === undefined || second === undefined) throw new Error('two workers are required');
    for (const person of PEOPLE) {
      const token = await brokerToken(gateway.url, person);
      for (const worker of workers)
        expect((await call(worker, token, 'x_notes_whoami')).text).toContain('not found');
      const { link } = await call(first, token, 'core_auth_login', { server: 'notes' });
      expect((await signIn(link, testUser(person))).status).toBe(200);
      expect((await call(second, token, 'x_notes_whoami')).text).toContain(`"${person}"`);
      expect((await call(first, token, 'x_notes_whoami')).text).toContain(`"${person}"`);
    }
  });
});

describe('the sign-ins that a person starts', () => {
  it('are limited to 10 in a minute at all workers together', async () => {
    const token = await brokerToken(gateway.url, 'eager');
    const start = (worker: PinnedConnection) =>
      call(worker, token, 'core_auth_login', { server: 'notes' });
    const texts: string[] = [];
    for (let times = 0; times < 6; times += 1)
      for (const worker of workers) texts.push((await start(worker)).text);
    expect(texts.filter((text) => text.startsWith('Authentication Required'))).toHaveLength(10);
    expect(texts.at(-1)).toMatch(/^Too many sign-in attempts for 'notes': 10 per minute/u);
    const other = await brokerToken(gateway.url, 'patient');
    for (const worker of workers) {
      const { link } = await call(worker, other, 'core_auth_login', { server: 'notes' });
      expect(link).not.toBe('');
    }
  });
});

describe('the session of a person', () => {
  it('is not found with the token of another person, at each worker', async () => {
    const [ada, ben] = [
      await brokerToken(gateway.url, 'ada'),
      await brokerToken(gateway.url, 'ben'),
    ];
    const [first] = workers;
    if (first === undefined) throw new Error('a worker is required');
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1.0.0' },
    };
    const { session = '' } = await send(first, ada, { method: 'initialize', params });
    expect(session).not.toBe('');
    const headers = { 'mcp-session-id': session };
    const list = { method: 'tools/list', params: {} };
    for (const worker of workers) {
      const statuses = [
        (await send(worker, ada, list, headers)).status,
        (await send(worker, ben, list, headers)).status,
        (await send(worker, ada, list, headers)).status,
      ];
      expect(statuses).toEqual([200, 404, 200]);
    }
  });
});
