import type { McpServer } from '@gateway/crd-schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDownstream } from '../src/index.ts';
import type { Downstream } from '../src/index.ts';
import { resultOf, testDownstream, viewOf } from './harness/downstream.ts';

/** Requirements of every transport, tested on `server-everything`. */
export const connectionSuite = (
  transport: string,
  define: (name: string) => McpServer,
  words: { readonly live: string; readonly stopped: string },
): void => {
  describe(`a server over ${transport}`, () => {
    // Starting the server is most of the work: the tests that leave it as it is have one together.
    let downstream: Downstream;
    beforeAll(async () => {
      downstream = createDownstream({
        clientInfo: { name: 'gateway-test', version: '1.0.0' },
        log: () => undefined,
        timeouts: { closeGraceMs: 500 },
      });
      downstream.apply([define('everything')]);
      await downstream.settled();
    });
    afterAll(() => downstream.close());

    it('is connected and lists what it offers', () => {
      const view = viewOf(downstream, 'everything');
      expect(view.state).toBe(words.live);
      expect(view.serverInfo?.name).toBe('mcp-servers/everything');
      expect(view.toolsCount).toBeGreaterThan(5);
      const [inventory] = downstream.inventories();
      expect(inventory?.tools.map(({ name }) => name)).toContain('echo');
      expect(view.resourcesCount).toBe(inventory?.resources.length);
      expect(view.promptsCount).toBe(inventory?.prompts.length);
      expect(inventory?.resources.length).toBeGreaterThan(0);
      expect(inventory?.resourceTemplates.length).toBeGreaterThan(0);
      expect(inventory?.prompts.length).toBeGreaterThan(0);
    });

    it('answers calls, resources and prompts', async () => {
      const server = 'everything';
      const called = await downstream.callTool({
        server,
        tool: 'echo',
        arguments: { message: 'hi' },
      });
      expect(resultOf(called)).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
      const uri = downstream.inventories()[0]?.resources[0]?.uri ?? '';
      const read = resultOf(await downstream.readResource({ server, uri }));
      expect(read['contents']).toMatchObject([{ uri }]);
      const got = resultOf(await downstream.getPrompt({ server, prompt: 'simple-prompt' }));
      expect(got['messages']).toHaveLength(1);
    });

    it('passes images and structured content on', async () => {
      const image = await downstream.callTool({ server: 'everything', tool: 'get-tiny-image' });
      expect(resultOf(image)['content']).toContainEqual(
        expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
      );
      const structured = await downstream.callTool({
        server: 'everything',
        tool: 'get-structured-content',
        arguments: { location: 'New York' },
      });
      expect(resultOf(structured)['structuredContent']).toMatchObject({
        temperature: expect.any(Number) as number,
      });
    });

    it('reports progress and can be cancelled', async () => {
      const progress: number[] = [];
      const controller = new AbortController();
      const outcome = await downstream.callTool(
        {
          server: 'everything',
          tool: 'trigger-long-running-operation',
          arguments: { duration: 60, steps: 120 },
        },
        {
          signal: controller.signal,
          onProgress: (report) => {
            progress.push(report.progress);
            if (progress.length === 2) controller.abort();
          },
        },
      );
      expect(progress).toEqual([1, 2]);
      expect(outcome).toEqual({
        ok: false,
        error: { code: 'request.cancelled', server: 'everything' },
      });
    });

    it('stops on request, stays stopped, and starts again', async () => {
      const { downstream } = testDownstream();
      downstream.apply([define('everything')]);
      await downstream.settled();
      expect(await downstream.stop('everything')).toEqual({
        code: 'stopped',
        server: 'everything',
      });
      downstream.apply([define('everything')]);
      expect(viewOf(downstream, 'everything').state).toBe(words.stopped);
      expect(downstream.inventories()).toEqual([]);
      expect(await downstream.start('everything')).toEqual({
        code: 'started',
        server: 'everything',
      });
      expect(viewOf(downstream, 'everything').state).toBe(words.live);
    });
  });
};
