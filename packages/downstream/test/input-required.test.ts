import type { AskOptions, Caller } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { callFeature, connectedTo, useFeatures } from './harness/feature-servers.ts';
import { noAnswer, testCaller } from './harness/callers.ts';
import { eventually, resultOf, testDownstream } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
  },
};
const URL_MODE = {
  method: 'elicitation/create',
  params: { mode: 'url', url: 'https://example.com', message: 'Open' },
};
const SAMPLING = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } };
const ROOTS = { method: 'roots/list' };
const accepts = () => ({
  ok: true as const,
  result: { action: 'accept', content: { sure: true } },
});

describe.each(['stdio', 'streamable-http'] as const)(
  'a 2026-07-28 server over %s that requires input',
  (transport) => {
    const shared = useFeatures('gen2', transport);

    it('receives it from a capable caller, with its state byte for byte', async () => {
      const caller = testCaller('ann', {}, accepts);
      const requestState = '{"a": 1, "b":\\u00e9}  ü🙂';
      expect(
        await callFeature(
          shared(),
          'ask',
          { inputRequests: { one: FORM }, requestState },
          { caller },
        ),
      ).toEqual({
        inputResponses: { one: { action: 'accept', content: { sure: true } } },
        requestState,
      });
      expect(caller.asked).toEqual([FORM]);
    });

    it('gets answers of every kind in one round', async () => {
      const answers: Readonly<Record<string, Record<string, unknown>>> = {
        'elicitation/create': { action: 'accept' },
        'sampling/createMessage': {
          role: 'assistant',
          model: 'm',
          content: { type: 'text', text: 'hi' },
        },
        'roots/list': { roots: [{ uri: 'file:///tmp' }] },
      };
      const caller = testCaller('ann', {}, ({ method }) => ({
        ok: true,
        result: answers[method] ?? {},
      }));
      expect(
        await callFeature(
          shared(),
          'ask',
          { inputRequests: { page: URL_MODE, model: SAMPLING, roots: ROOTS } },
          { caller },
        ),
      ).toEqual({
        inputResponses: {
          page: answers['elicitation/create'],
          model: answers['sampling/createMessage'],
          roots: answers['roots/list'],
        },
      });
    });

    it('is retried with its state alone when it requires nothing else', async () => {
      const caller = testCaller('ann');
      expect(await callFeature(shared(), 'ask', { requestState: 'later' }, { caller })).toEqual({
        requestState: 'later',
      });
      expect(caller.asked).toEqual([]);
    });

    it('may use several rounds, within a bound', async () => {
      const caller = testCaller('ann', {}, accepts);
      const call = { inputRequests: { one: FORM } };
      expect(await callFeature(shared(), 'again', { ...call, times: 10 }, { caller })).toEqual({
        round: 10,
      });
      const outcome = await shared().callTool(
        { server: 'features', tool: 'again', arguments: { ...call, times: 11 } },
        { caller },
      );
      expect(outcome).toEqual({
        ok: false,
        error: {
          code: 'response.invalid',
          server: 'features',
          reason: 'the server still requires input after 10 rounds',
        },
      });
    });

    it('has its request forwarded unchanged to a caller that supports it, and the answer returned', async () => {
      const caller = testCaller('ann', { takesInputRequired: true });
      const call = {
        server: 'features',
        tool: 'ask',
        arguments: { inputRequests: { one: FORM }, requestState: 'kept' },
      };
      expect(resultOf(await shared().callTool(call, { caller }))).toMatchObject({
        resultType: 'input_required',
        inputRequests: { one: FORM },
        requestState: 'kept',
      });
      expect(
        await callFeature(shared(), 'ask', call.arguments, {
          caller,
          inputResponses: { one: { action: 'decline' } },
          requestState: 'kept',
        }),
      ).toEqual({ inputResponses: { one: { action: 'decline' } }, requestState: 'kept' });
      expect(caller.asked).toEqual([]);
    });

    it('may require input for a resource and a prompt as well', async () => {
      const caller = testCaller('ann', {}, accepts);
      const server = 'features';
      const given = '{"confirm":{"action":"accept","content":{"sure":true}}}';
      const read = await shared().readResource({ server, uri: 'test://one' }, { caller });
      expect(resultOf(read)).toMatchObject({ contents: [{ text: given }] });
      const got = await shared().getPrompt({ server, prompt: 'greet' }, { caller });
      expect(resultOf(got)).toMatchObject({ messages: [{ content: { text: given } }] });
    });

    it('receives the exact capabilities and log level of the caller of each request', async () => {
      const declared = async (caller?: ReturnType<typeof testCaller>) => {
        const options = caller === undefined ? {} : { caller };
        const envelope = await callFeature(shared(), 'envelope', {}, options);
        const read = envelope as Readonly<Record<string, unknown>>;
        return [
          read['io.modelcontextprotocol/clientCapabilities'],
          read['io.modelcontextprotocol/logLevel'],
        ];
      };
      const capabilities = { sampling: { tools: {} }, elicitation: { url: {} } };
      expect(await declared(testCaller('ann', { capabilities, logLevel: 'error' }))).toEqual([
        capabilities,
        'error',
      ]);
      expect(await declared(testCaller('ben', { capabilities: {}, logLevel: 'loud' }))).toEqual([
        {},
        undefined,
      ]);
      expect(await declared()).toEqual([{}, undefined]);
    });

    it('fails as before without a capable caller', async () => {
      const arguments_ = { inputRequests: { one: FORM } };
      const outcome = await shared().callTool({
        server: 'features',
        tool: 'ask',
        arguments: arguments_,
      });
      // The SDK's server refuses to ask a client that declares nothing.
      expect(outcome).toMatchObject({ ok: false });
    });

    it('does not get what the caller refuses', async () => {
      const caller = testCaller('ann', {}, () => ({
        ok: false,
        error: { code: -1, message: 'the user is away' },
      }));
      const outcome = await shared().callTool(
        { server: 'features', tool: 'ask', arguments: { inputRequests: { one: FORM } } },
        { caller },
      );
      expect(outcome).toEqual({
        ok: false,
        error: {
          code: 'input.not-given',
          server: 'features',
          reason: 'elicitation/create: the user is away',
        },
      });
    });

    it('has its request cancelled when the caller disconnects, and at the deadline of the call', async () => {
      const caller = testCaller('ann', {}, noAnswer);
      const controller = new AbortController();
      const call = shared().callTool(
        { server: 'features', tool: 'ask', arguments: { inputRequests: { one: FORM } } },
        { caller, signal: controller.signal },
      );
      await eventually('the question is asked', () => caller.asked.length === 1);
      controller.abort();
      expect(await call).toMatchObject({ error: { code: 'request.cancelled' } });
      expect(caller.signals[0]?.aborted).toBe(true);
    });
  },
);

describe('a 2026-07-28 server', () => {
  it('fails the call when it dies before it answers', async () => {
    const downstream = await connectedTo('gen2', 'stdio');
    const outcome = await downstream.callTool(
      { server: 'features', tool: 'ask-and-die', arguments: { inputRequests: { one: FORM } } },
      { caller: testCaller('ann', {}, accepts) },
    );
    expect(outcome).toMatchObject({ error: { code: 'server.connection-lost' } });
  });
});

/** A server that asks whatever the test wants, and keeps to nothing. */
const rawModern = async (result: (params: Record<string, unknown>) => unknown) => {
  const http = await startRawHttp({
    methods: {
      'server/discover': () => ({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'raw', version: '1.0.0' },
      }),
      'tools/call': (params: Record<string, unknown>) => result(params),
    },
  });
  const { downstream } = testDownstream({ timeouts: { requestMs: 1_500 } });
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
  await downstream.settled();
  const call = (caller: ReturnType<typeof testCaller> | undefined) =>
    downstream.callTool({ server: 'raw', tool: 'tool_0' }, caller === undefined ? {} : { caller });
  return { http, call };
};

describe('an input_required result', () => {
  const asking = (inputRequests: unknown) => () => ({
    resultType: 'input_required',
    inputRequests,
  });

  it('is a failure without a capable caller', async () => {
    const { call } = await rawModern(asking({ one: FORM }));
    const error = {
      code: 'response.invalid',
      server: 'raw',
      reason: 'the server requires input, which this request cannot provide',
    };
    expect(await call(undefined)).toEqual({ ok: false, error });
    expect(await call(testCaller('ann', { capabilities: {} }))).toEqual({ ok: false, error });
  });

  it('is not forwarded to a caller that does not declare the capability', async () => {
    const { call } = await rawModern(asking({ one: FORM, two: URL_MODE }));
    const caller = testCaller('ann', { capabilities: { elicitation: {} } });
    expect(await call(caller)).toMatchObject({
      error: {
        code: 'input.not-given',
        reason: 'elicitation/create: the client does not declare the capability elicitation.url',
      },
    });
    expect(caller.asked).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['a list', []],
    ['another method', { one: { method: 'tools/call', params: {} } }],
    ['no method', { one: {} }],
    ['parameters that are none', { one: { method: 'roots/list', params: 7 } }],
    ['too much at once', Object.fromEntries(Array.from({ length: 33 }, (_, n) => [n, ROOTS]))],
  ])('is not valid when it requests %s', async (_what, requests) => {
    const { call } = await rawModern(asking(requests));
    const caller = testCaller('ann');
    expect(await call(caller)).toMatchObject({
      error: {
        code: 'response.invalid',
        reason: 'the input request of the server is not valid',
      },
    });
    expect(caller.asked).toEqual([]);
  });

  it('that is too much to parse is refused with its reason, whoever called', async () => {
    const { call } = await rawModern(asking(Array.from({ length: 250_001 }, () => ({}))));
    for (const takesInputRequired of [false, true])
      expect(await call(testCaller('ann', { takesInputRequired }))).toMatchObject({
        error: {
          code: 'response.invalid',
          reason: expect.stringMatching(
            /^its input request cannot be read: it has more than \d+ members/,
          ) as string,
        },
      });
  });

  it('distinguishes requests of any name', async () => {
    const requests: unknown = JSON.parse(
      `{"__proto__":${JSON.stringify(ROOTS)},"constructor":${JSON.stringify(ROOTS)}}`,
    );
    const { call, http } = await rawModern((params) =>
      Object.hasOwn(params, 'inputResponses')
        ? { content: [] }
        : { resultType: 'input_required', inputRequests: requests },
    );
    expect(await call(testCaller('ann'))).toMatchObject({ ok: true });
    const last = http.mcp.seen.at(-1)?.params;
    expect(JSON.stringify(last)).toContain(
      '"inputResponses":{"__proto__":{"from":"ann"},"constructor":{"from":"ann"}}',
    );
    expect(last).not.toHaveProperty('requestState');
  });

  it('ends at the deadline of the call, even without an answer of the caller', async () => {
    const { call } = await rawModern(asking({ one: ROOTS }));
    const caller = testCaller('ann', {}, noAnswer);
    expect(await call(caller)).toEqual({
      ok: false,
      error: { code: 'request.timeout', server: 'raw', timeoutMs: 1_500 },
    });
    expect(caller.signals[0]?.aborted).toBe(true);
  });

  it('that requires only a retry is retried with pauses, until the deadline', async () => {
    const { call, http } = await rawModern(() => ({
      resultType: 'input_required',
      requestState: 'x',
    }));
    expect(await call(testCaller('ann'))).toMatchObject({ error: { code: 'request.timeout' } });
    const calls = http.mcp.seen.filter(({ method }) => method === 'tools/call');
    // After 0, 250, 750 and, if there is time, 1750 ms.
    expect(calls.length).toBeGreaterThanOrEqual(2);
    expect(calls.length).toBeLessThanOrEqual(4);
  });
});

describe('a 2025 server over HTTP that asks several questions at once', () => {
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
  };

  /** Sends each question some turns after the one before, and answers pings once it has sent all. */
  const asking = async (caller: Caller, isDone: () => boolean) => {
    let sent = (): void => undefined;
    const all = new Promise<void>((resolve) => (sent = resolve));
    const http = await startRawHttp({
      events: true,
      callable: {
        ask: async (_params: never, send: (message: unknown) => void) => {
          for (const id of ['a', 'b', 'c']) {
            send({ jsonrpc: '2.0', id, ...ROOTS });
            await turns(20);
          }
          sent();
          await eventually('the questions have reached the caller', isDone);
          return { content: [] };
        },
      },
      methods: { ping: () => all.then(() => ({})) },
    });
    const { downstream } = testDownstream({});
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    await downstream.settled();
    resultOf(await downstream.callTool({ server: 'raw', tool: 'ask' }, { caller }));
    return http.mcp.seen.filter(({ method }) => method === 'ping').length;
  };

  const recording = (given: Partial<Caller>) => {
    const mores: AskOptions['more'][] = [];
    const caller: Caller = {
      ...testCaller('ann', given),
      ask: (_question, { more } = {}) => {
        mores.push(more);
        return Promise.resolve({ ok: true, result: { roots: [] } });
      },
    };
    return { mores, caller, isDone: () => mores.length === 3 };
  };

  it('has them asked together when the caller receives them in one result', async () => {
    const { caller, mores, isDone } = recording({ takesInputRequired: true });
    expect(await asking(caller, isDone)).toBe(1);
    expect(mores).toEqual([true, true, undefined]);
  });

  it('has each asked at once when the caller receives them one by one', async () => {
    const { caller, mores, isDone } = recording({});
    expect(await asking(caller, isDone)).toBe(0);
    expect(mores).toEqual([undefined, undefined, undefined]);
  });
});
