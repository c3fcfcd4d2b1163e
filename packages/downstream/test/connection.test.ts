import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import type { McpServer } from '@gateway/crd-schemas';
import { requirements } from '../spec.requirements.ts';
import { failed, openDownstream, resultOf, running, viewOf } from './harness/downstream.ts';
import { useEverythingServer } from './harness/everything.ts';
import { defineServer, referenceServer, stdioFixture } from './harness/servers.ts';

const requirement = defineRequirements(requirements);

const server = 'everything';
const run = (name: 'everything' | 'memory' | 'filesystem', ...args: readonly string[]) => {
  const program = [referenceServer(name), ...args];
  return defineServer(name, { type: 'stdio', command: process.execPath, args: program });
};

/** Requirements of every transport, tested on `server-everything`. */
const connectionSuite = (
  transport: string,
  define: () => McpServer,
  words: { readonly live: string; readonly stopped: string },
): void => {
  describe(`a server over ${transport}`, () => {
    // Starting the server is most of the work: the tests that leave it as it is have one together.
    const { downstream } = openDownstream();
    beforeAll(async () => {
      downstream.apply([define()]);
      await downstream.settled();
    });
    afterAll(() => downstream.close());

    it('is connected and lists what it offers', () => {
      const view = viewOf(downstream, server);
      expect([view.state, view.serverInfo?.name]).toEqual([words.live, 'mcp-servers/everything']);
      expect(view.toolsCount).toBeGreaterThan(5);
      const [inventory] = downstream.inventories();
      expect(inventory?.tools.map(({ name }) => name)).toContain('echo');
      expect(view.resourcesCount).toBe(inventory?.resources.length);
      expect(view.promptsCount).toBe(inventory?.prompts.length);
      expect(inventory?.resources.length).toBeGreaterThan(0);
      expect(inventory?.resourceTemplates.length).toBeGreaterThan(0);
      expect(inventory?.prompts.length).toBeGreaterThan(0);
    });

    it('answers calls with any content, resources and prompts', async () => {
      const call = async (tool: string, args: Readonly<Record<string, unknown>> = {}) =>
        resultOf(await downstream.callTool({ server, tool, arguments: args }));
      const echo = { content: [{ type: 'text', text: 'Echo: hi' }] };
      expect(await call('echo', { message: 'hi' })).toEqual(echo);
      const image = expect.objectContaining({ type: 'image', mimeType: 'image/png' }) as unknown;
      expect((await call('get-tiny-image'))['content']).toContainEqual(image);
      const weather = await call('get-structured-content', { location: 'New York' });
      const temperature = expect.any(Number) as number;
      expect(weather['structuredContent']).toMatchObject({ temperature });
      const uri = downstream.inventories()[0]?.resources[0]?.uri ?? '';
      const read = resultOf(await downstream.readResource({ server, uri }));
      expect(read['contents']).toMatchObject([{ uri }]);
      const got = resultOf(await downstream.getPrompt({ server, prompt: 'simple-prompt' }));
      expect(got['messages']).toHaveLength(1);
    });

    it('reports progress and can be cancelled', async () => {
      const progress: number[] = [];
      const controller = new AbortController();
      const tool = 'trigger-long-running-operation';
      const outcome = await downstream.callTool(
        { server, tool, arguments: { duration: 60, steps: 120 } },
        {
          signal: controller.signal,
          onProgress: (report) => {
            progress.push(report.progress);
            if (progress.length === 2) controller.abort();
          },
        },
      );
      expect(progress).toEqual([1, 2]);
      expect(outcome).toEqual(failed('request.cancelled', {}, server));
    });

    it('stops on request, stays stopped, and starts again', async () => {
      const { downstream } = await running([define()]);
      expect(await downstream.stop(server)).toEqual({ code: 'stopped', server });
      downstream.apply([define()]);
      expect(viewOf(downstream, server).state).toBe(words.stopped);
      expect(downstream.inventories()).toEqual([]);
      expect(await downstream.start(server)).toEqual({ code: 'started', server });
      expect(viewOf(downstream, server).state).toBe(words.live);
    });
  });
};

requirement('2.6/run-stdio', () => {
  const words = { live: 'Running', stopped: 'Stopped' };
  connectionSuite('stdio', () => run('everything', 'stdio'), words);

  it('serves the other reference servers', async () => {
    const servers = [run('memory'), run('filesystem', import.meta.dirname)];
    const { downstream } = await running(servers);
    expect(downstream.servers()).toMatchObject([{ state: 'Running' }, { state: 'Running' }]);
    const args = { path: import.meta.dirname };
    const call = { server: 'filesystem', tool: 'list_directory', arguments: args };
    expect(JSON.stringify(resultOf(await downstream.callTool(call)))).toContain(
      'connection.test.ts',
    );
  });

  it('has no shell between command and args', async () => {
    const args = ['--$(exit 1)', '; exit 1'];
    const { downstream } = await running([stdioFixture('raw', 'raw-stdio.mjs', args)]);
    expect(downstream.servers()).toMatchObject([{ state: 'Running' }]);
  });
});

requirement('2.6/run-remote', () => {
  const words = { live: 'Connected', stopped: 'Disconnected' };
  for (const [type, mode] of [
    ['streamable-http', 'streamableHttp'],
    ['sse', 'sse'],
  ] as const) {
    const { url } = useEverythingServer(mode);
    connectionSuite(type, () => defineServer(server, { type, url: url() }), words);
  }
});

requirement('2.6/run-env', () => {
  it("reaches a stdio child, over a short list of the gateway's own", async () => {
    process.env['GATEWAY_TEST_SECRET'] = 'not for children';
    const env = { LANG: 'xx', EXTRA: 'one' };
    const { downstream } = await running([stdioFixture('raw', 'raw-stdio.mjs', [], { env })]);
    const seen = resultOf(await downstream.callTool({ server: 'raw', tool: 'env' }))['env'];
    expect(seen).toMatchObject({ ...env, PATH: process.env['PATH'] });
    expect(seen).not.toHaveProperty('GATEWAY_TEST_SECRET');
  });
});
