import { configDirectory, eventually } from '@gateway/repo-checks';
import {
  signIn,
  startProtectedServer,
  startProvider,
  testUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-identity';
import type { IncomingMessage } from 'node:http';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionsToAll, type PinnedConnection } from '../harness/connection-owner.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { descendantsOf } from '../harness/living-process.ts';

const directory = configDirectory();
let provider: TestProvider;
let notes: ProtectedServer;
let gateway: RunningGateway;
let workers: readonly PinnedConnection[];

beforeAll(async () => {
  provider = await startProvider();
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
  directory.config({
    auth: {
      mode: 'resource-server',
      allowPrivate: true,
      issuers: [{ issuer: provider.issuer }],
    },
  });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  gateway = await startGateway(directory.path, { args: ['--workers', '2'] });
  workers = await connectionsToAll(gateway.url, descendantsOf(gateway.child.pid ?? 0));
});

afterAll(async () => {
  for (const worker of workers) worker.close();
  await gateway.stop();
  await Promise.all([notes.close(), provider.close()]);
  directory.remove();
});

interface Answer {
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: { readonly authUrl?: string };
  };
}

const read = async (response: IncomingMessage): Promise<Answer> => {
  const text = await textOfStream(response);
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
  return JSON.parse(data?.slice('data: '.length) ?? text) as Answer;
};

const bearerOf = async (subject: string): Promise<Record<string, string>> => {
  const aud = new URL('/mcp', gateway.url).href;
  const token = await provider.sign({ sub: subject, aud, scope: 'mcp:read' });
  return { authorization: `Bearer ${token}` };
};

const send = async (worker: PinnedConnection, person: string, name: string, args: object = {}) => {
  const headers = await bearerOf(person);
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return read(await worker.send({ headers, body }));
};

const textOf = ({ result }: Answer): string => result?.content?.[0]?.text ?? '';

const whoami = async (worker: PinnedConnection, person: string): Promise<string> =>
  textOf(await send(worker, person, 'call_tool', { name: 'x_notes_whoami', arguments: {} }));

it('two workers show and call the servers of a person for that person only', async () => {
  const [first] = workers;
  if (first === undefined) throw new Error('no worker');
  expect(workers).toHaveLength(2);
  const login = { name: 'core_auth_login', arguments: { server: 'notes' } };
  const { result } = await send(first, 'ada', 'call_tool', login);
  const page = await signIn(result?.structuredContent?.authUrl ?? '', testUser('ada'));
  expect(page.status).toBe(200);
  for (const worker of workers) {
    await eventually(async () => {
      expect(await whoami(worker, 'ada')).toContain('"ada"');
    });
    expect(textOf(await send(worker, 'ada', 'list_tools'))).toContain('x_notes_whoami');
    expect(await whoami(worker, 'ben')).toBe('Tool not found: x_notes_whoami');
    expect(textOf(await send(worker, 'ben', 'list_tools'))).not.toContain('x_notes_whoami');
  }
  const owners = new Set(notes.calls('whoami').map(({ subject }) => subject));
  expect([...owners]).toEqual(['ada']);
});

it('two workers refuse a session to another person', async () => {
  const clientInfo = { name: 'raw', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const [first] = workers;
  const opened = await first?.send({
    headers: await bearerOf('ada'),
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  });
  if (opened === undefined) throw new Error('no worker');
  await read(opened);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const statusOf = async (worker: PinnedConnection, person: string) => {
    const headers = { ...(await bearerOf(person)), ...session };
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const response = await worker.send({ headers, body });
    await textOfStream(response);
    return response.statusCode;
  };
  for (const worker of workers)
    expect([await statusOf(worker, 'ada'), await statusOf(worker, 'ben')]).toEqual([200, 404]);
});
