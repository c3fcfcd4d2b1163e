import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { failed, resultOf, running } from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { stdioFixture } from './harness/servers.ts';

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

/** Objects with these members, of which the first is required, and with odd ones. */
const withOddities = (
  required: string,
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
) => {
  const all: Readonly<Record<string, fc.Arbitrary<unknown>>> = { ...members, _meta: oddities };
  return fc
    .tuple(oddities, fc.record(all, { requiredKeys: [required] }))
    .map(([odd, known]) => ({ ...odd, ...known }));
};

const anyResult = withOddities('content', {
  content: fc.array(contentItem, { maxLength: 4 }),
  structuredContent: anyJson,
  isError: fc.boolean(),
});
const anyProgress = withOddities('progress', {
  progress: fc.double({ noNaN: true, noDefaultInfinity: true }),
  total: fc.integer(),
  message: fc.string(),
});

/** Returns a value as sent over a wire: `-0` and absent values have no JSON. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const overStdio = () => stdioFixture('raw', 'raw-stdio.mjs');
const overHttp = (events: boolean) => async () => remote((await startRawHttp({ events })).url);

type Define = () => Promise<McpServer> | McpServer;

describe.each<[string, Define]>([
  ['stdio', overStdio],
  ['Streamable HTTP with JSON answers', overHttp(false)],
  ['Streamable HTTP with event streams', overHttp(true)],
])('%s', (_transport, define) => {
  const started = async () => (await running([await define()])).downstream;

  it('forwards every result unchanged, unknown keys and kinds included', async () => {
    const downstream = await started();
    await fc.assert(
      fc.asyncProperty(anyResult, async (result) => {
        const call = { server: 'raw', tool: 'result', arguments: { result } };
        expect(resultOf(await downstream.callTool(call))).toEqual(asJson(result));
      }),
      { numRuns: 100 },
    );
  });

  it('forwards arguments and _meta unchanged', async () => {
    const downstream = await started();
    await fc.assert(
      fc.asyncProperty(oddities, oddities, async (args, odd) => {
        const meta = { ...odd, trace: 1 };
        const call = { server: 'raw', tool: 'params', arguments: args };
        const { params } = resultOf(await downstream.callTool(call, { meta }));
        expect(params).toEqual(asJson({ name: 'params', arguments: args, _meta: meta }));
      }),
      { numRuns: 50 },
    );
  });

  it('forwards resources, prompts, and an error with its code, text and data', async () => {
    const downstream = await started();
    const server = 'raw';
    const read = await downstream.readResource({ server, uri: 'raw://one' });
    const contents = [{ uri: 'raw://one', text: 'one', odd: [1] }];
    expect(resultOf(read)).toEqual({ contents, odd: true });
    const args = { who: 'you' };
    const meta = { a: 1 };
    const got = await downstream.getPrompt({ server, prompt: 'greet', arguments: args }, { meta });
    expect(resultOf(got)['params']).toEqual({ name: 'greet', arguments: args, _meta: meta });
    const refusal = { rpcCode: -32050, message: 'no such luck', data: { hint: 1 } };
    const refused = await downstream.callTool({ server, tool: 'fail' });
    expect(refused).toEqual(failed('request.refused', refusal));
  });
});

it.each<[string, Define]>([
  ['stdio', overStdio],
  ['Streamable HTTP', overHttp(true)],
])('progress comes as the server sent it over %s', async (_transport, define) => {
  const { downstream } = await running([await define()]);
  const pass = async (reports: readonly unknown[]): Promise<void> => {
    const seen: unknown[] = [];
    const call = { server: 'raw', tool: 'progress', arguments: { reports } };
    await downstream.callTool(call, { onProgress: (report) => seen.push(report) });
    expect(seen).toEqual(asJson(reports));
  };
  await pass([{ progress: 1 }, { progress: 2, total: 4, message: 'half', odd: true }]);
  const reports = fc.array(anyProgress, { maxLength: 3 });
  await fc.assert(fc.asyncProperty(reports, pass), { numRuns: 50 });
});

it.each([
  ['the user has left', 'the user has left'],
  [new Error('x'.repeat(201)), 'x'.repeat(200)],
  [`${'x'.repeat(199)}🙂`, 'x'.repeat(199)],
  [7, 'cancelled'],
])('a cancellation sends the reason %j to the server', async (reason, told) => {
  const { downstream } = await running([overStdio()]);
  const controller = new AbortController();
  const { signal } = controller;
  const hanging = downstream.callTool({ server: 'raw', tool: 'hang' }, { signal });
  controller.abort(reason);
  expect(await hanging).toEqual(failed('request.cancelled'));
  const { seen } = resultOf(await downstream.callTool({ server: 'raw', tool: 'seen' }));
  const params = expect.objectContaining({ reason: told }) as unknown;
  expect(seen).toContainEqual({ method: 'notifications/cancelled', params });
});

/** JSON that can be read but not written again: writing needs a level of the stack for each of its own. */
const TOO_DEEP = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;

it('continues when a message of a server cannot be forwarded', async () => {
  const { downstream, log } = await running([overStdio()]);
  const call = { server: 'raw', tool: 'progress', arguments: { reports: [{ progress: 1 }] } };
  const onProgress = () => void JSON.stringify(TOO_DEEP);
  expect(resultOf(await downstream.callTool(call, { onProgress }))).toEqual({ content: [] });
  expect(log.some(({ event }) => event === 'server.transport-error')).toBe(true);
});
