import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { resultOf, testDownstream } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const oddKey = fc.oneof(
  fc.constantFrom('constructor', 'toString', 'hasOwnProperty', '', ' ', 'a.b', '$ref', '🙂', 'id'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((key) => key !== '__proto__'),
);
const anyJson = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
const oddities = fc.dictionary(oddKey, anyJson, { maxKeys: 4, noNullPrototype: true });

const contentItem = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({
    type: fc.constantFrom('image', 'audio'),
    data: fc.base64String(),
    mimeType: fc.string(),
  }),
  fc.record({ type: fc.constant('resource'), resource: oddities, annotations: oddities }),
  fc.record({ type: fc.constant('resource_link'), uri: fc.webUrl(), name: fc.string() }),
  fc.record({ type: fc.string(), value: anyJson }),
  anyJson,
);

const anyResult = fc
  .tuple(
    oddities,
    fc.record(
      {
        content: fc.array(contentItem, { maxLength: 4 }),
        structuredContent: anyJson,
        isError: fc.boolean(),
        _meta: oddities,
      },
      { requiredKeys: ['content'] },
    ),
  )
  .map(([odd, result]) => ({ ...odd, ...result }));

const anyProgress = fc
  .tuple(
    oddities,
    fc.record(
      {
        progress: fc.double({ noNaN: true, noDefaultInfinity: true }),
        total: fc.integer(),
        message: fc.string(),
        _meta: oddities,
      },
      { requiredKeys: ['progress'] },
    ),
  )
  .map(([odd, report]) => ({ ...odd, ...report }));

/** Returns a value as sent over a wire: `-0` and absent values have no JSON. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const passesThrough = (transport: string, define: () => Promise<McpServer> | McpServer): void => {
  describe(transport, () => {
    it('forwards every result unchanged, unknown keys and kinds included', async () => {
      const { downstream } = testDownstream();
      downstream.apply([await define()]);
      await downstream.settled();
      await fc.assert(
        fc.asyncProperty(anyResult, async (result) => {
          const outcome = await downstream.callTool({
            server: 'raw',
            tool: 'result',
            arguments: { result },
          });
          expect(resultOf(outcome)).toEqual(asJson(result));
        }),
        { numRuns: 100 },
      );
    });

    it('forwards arguments and _meta unchanged', async () => {
      const { downstream } = testDownstream();
      downstream.apply([await define()]);
      await downstream.settled();
      await fc.assert(
        fc.asyncProperty(oddities, oddities, async (args, odd) => {
          const meta = { ...odd, trace: 1 };
          const outcome = await downstream.callTool(
            { server: 'raw', tool: 'params', arguments: args },
            { meta },
          );
          expect(resultOf(outcome)['params']).toEqual(
            asJson({ name: 'params', arguments: args, _meta: meta }),
          );
        }),
        { numRuns: 50 },
      );
    });

    it('forwards resources and prompts', async () => {
      const { downstream } = testDownstream();
      downstream.apply([await define()]);
      await downstream.settled();
      const read = await downstream.readResource({ server: 'raw', uri: 'raw://one' });
      expect(resultOf(read)).toEqual({
        contents: [{ uri: 'raw://one', text: 'one', odd: [1] }],
        odd: true,
      });
      const got = await downstream.getPrompt(
        { server: 'raw', prompt: 'greet', arguments: { who: 'you' } },
        { meta: { a: 1 } },
      );
      expect(resultOf(got)['params']).toEqual({
        name: 'greet',
        arguments: { who: 'you' },
        _meta: { a: 1 },
      });
    });

    it('forwards an error with its code, text and data', async () => {
      const { downstream } = testDownstream();
      downstream.apply([await define()]);
      await downstream.settled();
      expect(await downstream.callTool({ server: 'raw', tool: 'fail' })).toEqual({
        ok: false,
        error: {
          code: 'request.refused',
          server: 'raw',
          rpcCode: -32050,
          message: 'no such luck',
          data: { hint: 1 },
        },
      });
    });
  });
};

passesThrough('stdio', () => stdioFixture('raw', 'raw-stdio.mjs'));
passesThrough('Streamable HTTP with JSON answers', async () =>
  defineServer('raw', { type: 'streamable-http', url: (await startRawHttp()).url }),
);
passesThrough('Streamable HTTP with event streams', async () =>
  defineServer('raw', { type: 'streamable-http', url: (await startRawHttp({ events: true })).url }),
);

describe('progress', () => {
  const reports = [{ progress: 1 }, { progress: 2, total: 4, message: 'half', odd: true }];

  it.each([
    ['stdio', () => stdioFixture('raw', 'raw-stdio.mjs')],
    [
      'Streamable HTTP',
      async () =>
        defineServer('raw', {
          type: 'streamable-http',
          url: (await startRawHttp({ events: true })).url,
        }),
    ],
  ])('comes as the server sent it over %s', async (_transport, define) => {
    const { downstream } = testDownstream();
    downstream.apply([await define()]);
    await downstream.settled();
    const pass = async (sent: readonly unknown[]): Promise<void> => {
      const seen: unknown[] = [];
      await downstream.callTool(
        { server: 'raw', tool: 'progress', arguments: { reports: sent } },
        { onProgress: (report) => seen.push(report) },
      );
      expect(seen).toEqual(asJson(sent));
    };
    await pass(reports);
    await fc.assert(fc.asyncProperty(fc.array(anyProgress, { maxLength: 3 }), pass), {
      numRuns: 50,
    });
  });
});

describe('a cancellation', () => {
  it.each([
    ['the user has left', 'the user has left'],
    [new Error('x'.repeat(201)), 'x'.repeat(200)],
    [`${'x'.repeat(199)}🙂`, 'x'.repeat(199)],
    [7, 'cancelled'],
  ])('sends the reason %j to the server', async (reason, told) => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('raw', 'raw-stdio.mjs')]);
    await downstream.settled();
    const controller = new AbortController();
    const { signal } = controller;
    const hanging = downstream.callTool({ server: 'raw', tool: 'hang' }, { signal });
    controller.abort(reason);
    expect(await hanging).toMatchObject({ error: { code: 'request.cancelled' } });
    const seen = resultOf(await downstream.callTool({ server: 'raw', tool: 'seen' }))['seen'];
    expect(seen).toContainEqual({
      method: 'notifications/cancelled',
      params: expect.objectContaining({ reason: told }) as unknown,
    });
  });
});

/** JSON that can be read but not written again: writing needs a level of the stack for each of its own. */
const TOO_DEEP = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;

it('continues when a message of a server cannot be forwarded', async () => {
  const { downstream, log } = testDownstream();
  downstream.apply([stdioFixture('raw', 'raw-stdio.mjs', [])]);
  await downstream.settled();
  const outcome = await downstream.callTool(
    { server: 'raw', tool: 'progress', arguments: { reports: [{ progress: 1 }] } },
    { onProgress: () => void JSON.stringify(TOO_DEEP) },
  );
  expect(resultOf(outcome)).toEqual({ content: [] });
  expect(log.some(({ event }) => event === 'server.transport-error')).toBe(true);
});
