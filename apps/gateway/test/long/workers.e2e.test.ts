import { configDirectory, type ConfigDirectory, eventually } from '@gateway/repo-checks';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsToAll, type PinnedConnection } from '../harness/connection-owner.ts';
import { fixture } from '../harness/fixture.ts';
import { runGateway, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from '../harness/http-mcp-server.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';

const directories: ConfigDirectory[] = [];
const gateways: RunningGateway[] = [];
let remote: HttpMcpServer;

beforeAll(async () => {
  remote = await httpMcpServer();
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
  for (const { remove } of directories) remove();
  await remote.stop();
});

const directoryOf = (): ConfigDirectory => {
  const directory = configDirectory();
  directories.push(directory);
  return directory;
};

const start = async (directory: ConfigDirectory, args: readonly string[] = ['--workers', '2']) => {
  const gateway = await startGateway(directory.path, { args });
  gateways.push(gateway);
  return gateway;
};

const commandOf = (pid: number): string => readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8');

const processesOf = ({ child }: RunningGateway, word: string): readonly number[] =>
  descendantsOf(child.pid ?? 0).filter((pid) => isRunning(pid) && commandOf(pid).includes(word));

const workersOf = (gateway: RunningGateway): readonly number[] => processesOf(gateway, 'cli.js');

const connections = (gateway: RunningGateway): Promise<readonly PinnedConnection[]> =>
  connectionsToAll(gateway.url, workersOf(gateway));

const two = async (gateway: RunningGateway): Promise<[PinnedConnection, PinnedConnection]> => {
  const [one, other, ...more] = await connections(gateway);
  if (one === undefined || other === undefined || more.length > 0) throw new Error('not two');
  return [one, other];
};

interface Answer {
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; isError?: boolean };
  readonly error?: { readonly message: string };
}

const messageOf = (text: string): Answer => {
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
  return JSON.parse(data?.slice('data: '.length) ?? text) as Answer;
};

const read = async (response: IncomingMessage): Promise<Answer> =>
  messageOf(await textOfStream(response));

const metaTool = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

const call = async (
  connection: PinnedConnection,
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<string> => {
  const body = metaTool('call_tool', { name, arguments: args });
  const answer = await read(await connection.send({ headers, body }));
  return answer.result?.content?.[0]?.text ?? answer.error?.message ?? '';
};

const toolNames = async (connection: PinnedConnection, toolset?: string): Promise<string[]> => {
  const headers = toolset === undefined ? {} : { 'x-gateway-toolset': toolset };
  const body = metaTool('list_tools');
  const answer = await read(await connection.send({ headers, body }));
  const text = answer.result?.content?.[0]?.text ?? '';
  if (answer.result?.isError === true) throw new Error(text);
  return (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name);
};

const initialize = async (
  connection: PinnedConnection,
  capabilities: object = {},
): Promise<Record<string, string>> => {
  const clientInfo = { name: 'raw', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const response = await connection.send({ body });
  await read(response);
  return { 'mcp-session-id': String(response.headers['mcp-session-id']) };
};

const metric = async (connection: PinnedConnection, series: string): Promise<number> => {
  const text = await textOfStream(await connection.send({ path: '/metrics', method: 'GET' }));
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
};

describe('two workers', () => {
  const directory = directoryOf();
  let gateway: RunningGateway;

  beforeAll(async () => {
    directory.config({ toolsetPresets: { mine: { include: [{ tool: 'x_plain_echo' }] } } });
    directory.server('plain', fixture('plain'));
    directory.server('other', fixture('plain'));
    directory.server('asking', fixture('asking'));
    directory.server('remote', { type: 'streamable-http', url: remote.url, autoStart: true });
    gateway = await start(directory);
  });

  it('listen on one port and log it once', () => {
    expect(workersOf(gateway)).toHaveLength(2);
    const lines = gateway.logs().filter(({ msg }) => msg === 'listening');
    expect(lines).toMatchObject([{ workers: 2, url: gateway.url.origin }]);
  });

  it('both serve the whole catalog, over one child of each stdio server', async () => {
    const [one, other] = await two(gateway);
    expect(await toolNames(one)).toEqual(await toolNames(other));
    expect(await call(one, 'x_plain_pid')).toBe(await call(other, 'x_plain_pid'));
    expect(await call(one, 'x_plain_pid')).toMatch(/^\d+$/u);
    const large = 'x'.repeat(2_000_000);
    for (const connection of [one, other])
      expect((await call(connection, 'x_plain_echo', { text: large })).length).toBe(large.length);
    expect(processesOf(gateway, 'plain-server')).toHaveLength(2);
    expect(processesOf(gateway, 'asking-server')).toHaveLength(1);
  });

  it('connect to a remote server separately', async () => {
    const [one, other] = await two(gateway);
    const count = (method: string) =>
      remote.requests.filter((sent) => sent.method === method).length;
    expect(await call(one, 'x_remote_hello')).toBe('hello');
    expect(await call(other, 'x_remote_hello')).toBe('hello');
    expect(await call(one, 'x_remote_hello')).toBe('hello');
    expect(count('initialize')).toBe(3);
    expect(count('tools/list')).toBe(1);
    expect(count('tools/call')).toBe(3);
  });

  it('serve one session alike', async () => {
    const [one, other] = await two(gateway);
    const session = await initialize(one);
    expect(await call(other, 'x_plain_echo', { text: 'hi' }, session)).toBe('hi');
    const strange = { 'mcp-session-id': 'strange' };
    const refused = await other.send({ headers: strange, body: metaTool('list_tools') });
    refused.resume();
    expect(refused.statusCode).toBe(404);
  });

  it('forward a question to the client and its answer over different workers', async () => {
    const [one, other] = await two(gateway);
    const session = await initialize(one, { elicitation: {} });
    const running = await one.send({
      headers: session,
      body: metaTool('call_tool', { name: 'x_asking_who' }),
    });
    running.setEncoding('utf8');
    let seen = '';
    running.on('data', (chunk: string) => (seen += chunk));
    const ended = once(running, 'end');
    const question = await eventually(() => {
      const data = seen.split('\n').find((line) => line.includes('"elicitation/create"'));
      return JSON.parse(data?.slice('data: '.length) ?? '') as { id: string | number };
    });
    const result = { action: 'accept', content: { name: 'me' } };
    const body = { jsonrpc: '2.0', id: question.id, result };
    const taken = await other.send({ headers: session, body });
    taken.resume();
    expect(taken.statusCode).toBe(202);
    await ended;
    expect(messageOf(seen).result?.content?.[0]?.text).toBe(JSON.stringify(result));
  });

  it('forward a cancellation to the worker that runs the call', async () => {
    const [one, other] = await two(gateway);
    const session = await initialize(one);
    const body = { ...metaTool('call_tool', { name: 'x_other_hang' }), id: 'slow one' };
    const running = one.send({ headers: session, body });
    const ended = running.then(textOfStream);
    const params = { requestId: 'slow one', reason: 'too slow' };
    const cancelling = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    await eventually(async () => {
      const taken = await other.send({ headers: session, body: cancelling });
      taken.resume();
      expect(taken.statusCode).toBe(202);
      const told = metaTool('call_tool', { name: 'x_other_cancelled' });
      const answer = await read(await other.send({ body: told }));
      expect(JSON.stringify(answer.result)).toContain('"cancelled":["too slow"]');
    });
    expect(await ended).not.toContain('"result"');
  });

  it('stop and start a server for each other', async () => {
    const [one, other] = await two(gateway);
    await call(one, 'core_service_stop', { name: 'other' });
    expect(await toolNames(one)).not.toContain('x_other_echo');
    await eventually(async () => {
      expect(await toolNames(other)).not.toContain('x_other_echo');
    });
    await call(other, 'core_service_start', { name: 'other' });
    expect(await toolNames(other)).toContain('x_other_echo');
    await eventually(async () => {
      expect(await call(one, 'x_other_echo', { text: 'back' })).toBe('back');
    });
  });

  it('apply presets and labels together, within a second', async () => {
    const [one, other] = await two(gateway);
    expect(await toolNames(other, 'preset:mine')).toEqual(['x_plain_echo']);
    const edited = Date.now();
    directory.config({ toolsetPresets: { mine: { include: [{ label: 'team=' }] } } });
    directory.server('plain', fixture('plain'), { team: '' });
    for (const connection of [one, other])
      await eventually(async () => {
        expect(await toolNames(connection, 'preset:mine')).toContain('x_plain_slow');
      });
    expect(Date.now() - edited).toBeLessThan(2000);
    expect(gateway.logs().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('return the metrics of all workers at /metrics', async () => {
    const [one, other] = await two(gateway);
    const calls = 'gateway_meta_tool_calls_total{tool="list_tools",outcome="ok"}';
    const before = await metric(one, calls);
    await toolNames(one);
    await toolNames(other);
    await toolNames(other);
    expect(await metric(one, calls)).toBe(before + 3);
    expect(await metric(other, calls)).toBe(before + 3);
    expect(await metric(one, 'gateway_workers')).toBe(2);
    expect(await metric(one, 'gateway_server_state{server="plain",state="Running"}')).toBe(1);
    expect(await metric(one, 'gateway_catalog_tools{kind="core"}')).toBe(30);
    const sessions = await metric(other, 'gateway_sessions');
    await initialize(one);
    await initialize(other);
    expect(await metric(other, 'gateway_sessions')).toBe(sessions + 2);
  });

  it('replace a killed worker without an effect on the other', async () => {
    const [one, other] = await two(gateway);
    const child = await call(other, 'x_plain_pid');
    const calls = 'gateway_meta_tool_calls_total{tool="call_tool",outcome="ok"}';
    const before = await metric(other, calls);
    const doomed = call(one, 'x_plain_slow', { ms: 5_000 }).catch(() => 'cut');
    const slow = call(other, 'x_plain_slow', { ms: 1_000 });
    await eventually(async () => {
      const [probe] = await connectionsToAll(gateway.url, [other.owner]);
      const text = await textOfStream(await probe!.send({ path: '/healthz', method: 'GET' }));
      probe?.close();
      expect(text).toBe('{"status":"ok"}');
    });
    process.kill(one.owner, 'SIGKILL');
    expect(await slow).toBe('done');
    expect(await doomed).toBe('cut');
    const replaced = await eventually(async () => {
      const pair = await two(gateway);
      expect(pair.map(({ owner }) => owner)).not.toContain(one.owner);
      return pair;
    });
    for (const connection of replaced) expect(await call(connection, 'x_plain_pid')).toBe(child);
    expect(await metric(other, calls)).toBe(before + 3);
    expect(await metric(other, 'gateway_worker_replacements_total')).toBe(1);
    expect(gateway.logs()).toContainEqual(
      expect.objectContaining({
        msg: 'worker ended, starting another',
        pid: one.owner,
        signal: 'SIGKILL',
      }),
    );
  });

  it('drain at SIGTERM: running calls of every worker finish', async () => {
    const all = descendantsOf(gateway.child.pid ?? 0);
    const [one, other] = await two(gateway);
    const running = [one, other].map((connection) => call(connection, 'x_plain_slow', { ms: 700 }));
    await new Promise((sent) => setTimeout(sent, 200));
    const exit = gateway.stop('SIGTERM');
    expect(await Promise.all(running)).toEqual(['done', 'done']);
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(gateway.logs().map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['draining', 'stopped']),
    );
    await eventually(() => {
      expect(all.filter((pid) => isRunning(pid))).toEqual([]);
    });
  });
});

describe('workers', () => {
  it('and children end when the primary process is killed', async () => {
    const directory = directoryOf();
    directory.server('plain', fixture('plain'));
    const gateway = await start(directory, ['--workers', '2', '--expose', 'native']);
    const all = descendantsOf(gateway.child.pid ?? 0);
    const [one, other] = await two(gateway);
    for (const connection of [one, other]) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pid' } };
      const answer = await read(await connection.send({ body }));
      expect(answer.result?.content?.[0]?.text).toMatch(/^\d+$/u);
    }
    process.kill(gateway.child.pid ?? 0, 'SIGKILL');
    await eventually(() => {
      expect(all.filter((pid) => isRunning(pid))).toEqual([]);
    });
  });

  it('end at once at a second signal', async () => {
    const directory = directoryOf();
    directory.server('plain', fixture('plain'));
    const gateway = await start(directory);
    const [one] = await two(gateway);
    const workers = workersOf(gateway);
    void call(one, 'x_plain_hang').catch(() => undefined);
    await new Promise((sent) => setTimeout(sent, 200));
    process.kill(gateway.child.pid ?? 0, 'SIGTERM');
    await gateway.line((line) => line.includes('"draining"'));
    // Sooner it would be taken for the same one, passed on by a parent.
    await new Promise((later) => setTimeout(later, 350));
    expect(await gateway.stop('SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' });
    await eventually(() => {
      expect(workers.filter((pid) => isRunning(pid))).toEqual([]);
    });
  });

  it('are not started for a configuration that is refused', async () => {
    const directory = directoryOf();
    directory.config({ http: { port: 'x' } });
    const args = ['serve', '--config-dir', directory.path, '--workers', '2'];
    const { code, stderr } = await runGateway(args);
    expect(code).toBe(2);
    expect(stderr.filter((line) => line.includes('http.port'))).toHaveLength(1);
    expect(stderr).toHaveLength(1);
  });

  it('that cannot listen end the start with the cause', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const args = ['--config-dir', directoryOf().path, '--workers', '2', '--port', String(port)];
    const { code, stderr } = await runGateway(['serve', '--no-health-listener', ...args]);
    taken.close();
    expect(code).toBe(1);
    const reason = `port ${String(port)} of 127.0.0.1 is in use by another process: end that process, or choose another port with --port or http.port`;
    expect(stderr.filter((line) => line.includes(reason))).toHaveLength(1);
    expect(stderr.filter((line) => line.includes('EADDRINUSE'))).toEqual([]);
  });

  it.each(['0', 'x', '1000'])('cannot be %j in number', async (count) => {
    const args = ['serve', '--config-dir', join('/', 'nowhere'), '--workers', count];
    const { code, stderr } = await runGateway(args);
    expect(code).toBe(2);
    expect(stderr.join('\n')).toContain('It must be a whole number from 1 to 128.');
  });
});
