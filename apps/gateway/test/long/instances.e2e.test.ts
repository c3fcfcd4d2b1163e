import { retryAssertion } from '@gateway/repo-checks';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';
import { isRunning } from '../harness/living-process.ts';

const directory = testDirectory();
directory.server('plain', { ...fixture('plain'), instances: 'perSession' });

const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

describe('a gateway with a server of instances: perSession', () => {
  it('has a process of the server for each session and each local program', async () => {
    const gateway = await startGateway(directory.path, { args: ['--expose', 'native'] });
    const connect = async (name: string, options: object = {}) => {
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway.url));
      const client = new Client({ name, version: '1.0.0' }, options);
      await client.connect(transport);
      const pid = async (): Promise<number> => {
        const { content } = await client.callTool({ name: 'x_plain_pid', arguments: {} });
        return Number((content as readonly { text: string }[])[0]?.text);
      };
      return { client, transport, pid };
    };
    const ann = await connect('desk');
    const ben = await connect('desk');
    const cal = await connect('desk', MODERN);
    const dan = await connect('editor', MODERN);
    const pids = [await ann.pid(), await ben.pid(), await cal.pid(), await dan.pid()];
    expect(new Set(pids).size).toBe(4);
    expect([await ann.pid(), await ben.pid(), await cal.pid(), await dan.pid()]).toEqual(pids);

    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
    expect(metrics).toContain('gateway_server_instances{server="plain"} 4');
    await ann.transport.terminateSession();
    await retryAssertion(() => {
      expect(isRunning(pids[0] ?? 0)).toBe(false);
    });
    expect(await ben.pid()).toBe(pids[1]);
    await Promise.all([ann, ben, cal, dan].map(({ client }) => client.close()));
    await gateway.stop();
    expect(pids.filter(isRunning)).toEqual([]);
  });
});
