import { retryAssertion } from '@gateway/repo-checks';
import { Client as SecondClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { STDIO_CLIENTS, type StdioCommand } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { INITIALIZE } from '../harness/initialize-message.ts';
import { CLI, startGateway, type RunningGateway, stdioCommand } from '../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../harness/lifetime.ts';
import { startNode } from '../harness/process.ts';

const NATIVE = ['--expose', 'native', '--log-level', 'debug'];
const directory = testDirectory();
let gateway: RunningGateway;

setUp(async () => {
  directory.server('plain', fixture('plain'));
  directory.server('asking', fixture('asking'));
  directory.server('watched', fixture('watched'));
  gateway = await startGateway(directory.path, { args: NATIVE });
});

const endpoint = (url = gateway.url): string => new URL('/mcp', url).href;

const bridge = (...args: readonly string[]): StdioCommand => ({
  ...stdioCommand(''),
  args: [CLI, 'stdio', '--url', endpoint(), ...args],
});

const MODES = {
  '2025 era': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
};

/** A client that answers forms, and records the notifications that it receives. */
const attendant = async (mode: keyof typeof MODES, command = bridge()) => {
  const heard: string[] = [];
  const client = new SecondClient(
    { name: 'desk', version: '1.0.0' },
    { capabilities: { elicitation: {} }, ...MODES[mode] },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { name: 'Ann' },
  }));
  client.fallbackNotificationHandler = ({ method }) => {
    heard.push(method);
    return Promise.resolve();
  };
  await client.connect(new SecondStdio({ ...command, stderr: 'ignore' }));
  atEnd(() => client.close());
  return { client, heard };
};

describe.each(Object.entries(STDIO_CLIENTS))(
  'through gateway stdio --url, %s',
  (_name, connect) => {
    it('lists and calls tools, and receives progress and results unchanged', async () => {
      const client = await connect(bridge('--toolset', 'server:plain'));
      expect((await client.listTools()).map(({ name }) => name)).not.toContain('who');
      const reports: unknown[] = [];
      const onProgress = (report: unknown): number => reports.push(report);
      expect(await client.call('progress', {}, { onProgress })).toMatchObject({
        content: [{ type: 'text', text: 'done' }],
      });
      expect(reports).toHaveLength(3);
      expect(await client.call('everything')).toMatchObject({
        isError: true,
        structuredContent: { nested: { deep: [1, null, 'é'] } },
        _meta: { 'vendor.example/key': { kept: true } },
      });
    });
  },
);

describe.each(['2025 era', '2026-07-28'] as const)('a client of the %s', (mode) => {
  it('goes on after a restart of the gateway, and hears of changed lists', async () => {
    const own = testDirectory();
    own.server('plain', fixture('plain'));
    const first = await startGateway(own.path, { args: NATIVE });
    const command = bridge();
    const { port } = first.url;
    const args = command.args.map((arg) => (arg === endpoint() ? endpoint(first.url) : arg));
    const { client, heard } = await attendant(mode, { ...command, args });
    const pid = async (): Promise<string> =>
      JSON.stringify((await client.callTool({ name: 'pid', arguments: {} })).content);
    if (mode === '2026-07-28') {
      await client.listen({ toolsListChanged: true });
    }
    const before = await retryAssertion(pid);
    await first.stop();
    const waiting = client.listTools();
    await startGateway(own.path, { args: [...NATIVE, '--port', port] });
    expect((await waiting).tools).toBeInstanceOf(Array);
    // The gateway listens before its servers have answered.
    await retryAssertion(async () => {
      expect(await pid()).not.toBe(before);
    });
    // The servers may have answered before the bridge listened again, so the list changes again, until the client hears of it.
    let added = 0;
    const changes = setInterval(() => {
      own.server(`added-${String((added += 1))}`, fixture('plain'));
    }, 1_000);
    await retryAssertion(() => {
      expect(heard).toContain('notifications/tools/list_changed');
    }).finally(() => {
      clearInterval(changes);
    });
  });
});

describe('gateway stdio --url', () => {
  it('ends with its standard input, and its session with it', async () => {
    const running = startNode(bridge().args);
    running.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\nno message\n`);
    await running.line((line) => line.includes('"serverInfo"'));
    await running.line((line) => line.includes('-32700'));
    running.child.stdin?.end();
    expect(await running.exited).toEqual({ code: 0, signal: null });
  });
});
