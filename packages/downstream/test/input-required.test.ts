import type { AskOptions, Caller, JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { callFeature, connectedTo, useFeatures } from './harness/feature-servers.ts';
import { noAnswer, testCaller } from './harness/callers.ts';
import { eventually, failed, resultOf } from './harness/downstream.ts';
import { connected } from './harness/http-connection.ts';
import { modernMethods } from './harness/modern.ts';

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
const ONE_FORM = { inputRequests: { one: FORM } };
const YES = { action: 'accept', content: { sure: true } };

/** A caller who accepts every form. */
const accepting = () => testCaller('ann', {}, () => ({ ok: true, result: YES }));

describe.each(['stdio', 'streamable-http'] as const)(
  'a 2026-07-28 server over %s that requires input',
  (transport) => {
    const shared = useFeatures('gen2', transport);
    const ask = (args: JsonObject, caller?: Caller, options = {}) =>
      callFeature(shared(), 'ask', args, { ...(caller && { caller }), ...options });
    const call = (tool: string, args: JsonObject, options: object) =>
      shared().callTool({ server: 'features', tool, arguments: args }, options);

    it('receives it from a capable caller, with its state byte for byte', async () => {
      const caller = accepting();
      const requestState = '{"a": 1, "b":\\u00e9}  ü🙂';
      const received = { inputResponses: { one: YES }, requestState };
      expect(await ask({ ...ONE_FORM, requestState }, caller)).toEqual(received);
      expect(caller.asked).toEqual([FORM]);
    });

    it('gets answers of every kind in one round', async () => {
      const page = { action: 'accept' };
      const model = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } };
      const roots = { roots: [{ uri: 'file:///tmp' }] };
      const answers: Readonly<Record<string, JsonObject>> = {
        'elicitation/create': page,
        'sampling/createMessage': model,
        'roots/list': roots,
      };
      const caller = testCaller('ann', {}, ({ method }) => ({
        ok: true,
        result: answers[method] ?? {},
      }));
      const inputRequests = { page: URL_MODE, model: SAMPLING, roots: ROOTS };
      const received = { inputResponses: { page, model, roots } };
      expect(await ask({ inputRequests }, caller)).toEqual(received);
    });

    it('is retried with its state alone when it requires nothing else', async () => {
      const caller = testCaller('ann');
      expect(await ask({ requestState: 'later' }, caller)).toEqual({ requestState: 'later' });
      expect(caller.asked).toEqual([]);
    });

    it('may use several rounds, within a bound', async () => {
      const caller = accepting();
      const again = (times: number) => call('again', { ...ONE_FORM, times }, { caller });
      const text = JSON.stringify({ round: 10 });
      expect(resultOf(await again(10))).toMatchObject({ content: [{ text }] });
      const reason = 'the server still requires input after 10 rounds';
      expect(await again(11)).toEqual(failed('response.invalid', { reason }, 'features'));
    });

    it('has its request forwarded unchanged to a caller that supports it, and the answer returned', async () => {
      const caller = testCaller('ann', { takesInputRequired: true });
      const asked = { ...ONE_FORM, requestState: 'kept' };
      expect(resultOf(await call('ask', asked, { caller }))).toMatchObject({
        resultType: 'input_required',
        ...asked,
      });
      const given = { inputResponses: { one: { action: 'decline' } }, requestState: 'kept' };
      expect(await ask(asked, caller, given)).toEqual(given);
      expect(caller.asked).toEqual([]);
    });

    it('may require input for a resource and a prompt as well', async () => {
      const caller = accepting();
      const server = 'features';
      const given = JSON.stringify({ confirm: YES });
      const read = await shared().readResource({ server, uri: 'test://one' }, { caller });
      expect(resultOf(read)).toMatchObject({ contents: [{ text: given }] });
      const got = await shared().getPrompt({ server, prompt: 'greet' }, { caller });
      expect(resultOf(got)).toMatchObject({ messages: [{ content: { text: given } }] });
    });

    it('receives the exact capabilities and log level of the caller of each request', async () => {
      const declared = async (caller?: Caller) => {
        const envelope = await callFeature(shared(), 'envelope', {}, { ...(caller && { caller }) });
        const read = envelope as JsonObject;
        const prefix = 'io.modelcontextprotocol';
        return [read[`${prefix}/clientCapabilities`], read[`${prefix}/logLevel`]];
      };
      const capabilities = { sampling: { tools: {} }, elicitation: { url: {} } };
      const ann = testCaller('ann', { capabilities, logLevel: 'error' });
      expect(await declared(ann)).toEqual([capabilities, 'error']);
      const ben = testCaller('ben', { capabilities: {}, logLevel: 'loud' });
      expect(await declared(ben)).toEqual([{}, undefined]);
      expect(await declared()).toEqual([{}, undefined]);
    });

    it('does not get what the caller refuses, and nothing without a capable caller', async () => {
      // The SDK's server refuses to ask a client that declares nothing.
      expect(await call('ask', ONE_FORM, {})).toMatchObject({ ok: false });
      const error = { code: -1, message: 'the user is away' };
      const caller = testCaller('ann', {}, () => ({ ok: false, error }));
      const reason = 'elicitation/create: the user is away';
      expect(await call('ask', ONE_FORM, { caller })).toEqual(
        failed('input.not-given', { reason }, 'features'),
      );
    });

    it('has its request cancelled when the caller disconnects', async () => {
      const caller = testCaller('ann', {}, noAnswer);
      const controller = new AbortController();
      const outcome = call('ask', ONE_FORM, { caller, signal: controller.signal });
      await eventually('the question is asked', () => caller.asked.length === 1);
      controller.abort();
      expect(await outcome).toMatchObject({ error: { code: 'request.cancelled' } });
      expect(caller.signals[0]?.aborted).toBe(true);
    });
  },
);

it('a 2026-07-28 server that dies before it answers fails the call', async () => {
  const downstream = await connectedTo('gen2', 'stdio');
  const call = { server: 'features', tool: 'ask-and-die', arguments: ONE_FORM };
  const outcome = await downstream.callTool(call, { caller: accepting() });
  expect(outcome).toMatchObject({ error: { code: 'server.connection-lost' } });
});

/** A server that asks whatever the test wants, and keeps to nothing. */
const rawModern = async (result: (params: JsonObject) => unknown) => {
  const methods = { ...modernMethods(), 'tools/call': result };
  const { raw, downstream } = await connected({ methods }, { timeouts: { requestMs: 1_500 } });
  const call = (caller?: Caller) =>
    downstream.callTool({ server: 'raw', tool: 'tool_0' }, { ...(caller && { caller }) });
  return { http: raw, call };
};

describe('an input_required result', () => {
  const asking = (inputRequests: unknown) => () => ({
    resultType: 'input_required',
    inputRequests,
  });

  it('is a failure without a capable caller', async () => {
    const { call } = await rawModern(asking({ one: FORM }));
    const reason = 'the server requires input, which this request cannot provide';
    const invalid = failed('response.invalid', { reason });
    expect(await call()).toEqual(invalid);
    expect(await call(testCaller('ann', { capabilities: {} }))).toEqual(invalid);
  });

  it('is not forwarded to a caller that does not declare the capability', async () => {
    const { call } = await rawModern(asking({ one: FORM, two: URL_MODE }));
    const caller = testCaller('ann', { capabilities: { elicitation: {} } });
    const reason = 'elicitation/create: the client does not declare the capability elicitation.url';
    expect(await call(caller)).toEqual(failed('input.not-given', { reason }));
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
    const reason = 'the input request of the server is not valid';
    expect(await call(caller)).toEqual(failed('response.invalid', { reason }));
    expect(caller.asked).toEqual([]);
  });

  it('that is too much to parse is refused with its reason, whoever called', async () => {
    const { call } = await rawModern(asking(Array.from({ length: 250_001 }, () => ({}))));
    const reason = expect.stringMatching(
      /^its input request cannot be read: it has more than \d+ members/,
    ) as string;
    for (const takesInputRequired of [false, true])
      expect(await call(testCaller('ann', { takesInputRequired }))).toEqual(
        failed('response.invalid', { reason }),
      );
  });

  it('distinguishes requests of any name', async () => {
    const roots = JSON.stringify(ROOTS);
    const requests: unknown = JSON.parse(`{"__proto__":${roots},"constructor":${roots}}`);
    const { call, http } = await rawModern((params) =>
      Object.hasOwn(params, 'inputResponses') ? { content: [] } : asking(requests)(),
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
    expect(await call(caller)).toEqual(failed('request.timeout', { timeoutMs: 1_500 }));
    expect(caller.signals[0]?.aborted).toBe(true);
  });

  it('that requires only a retry is retried with pauses, until the deadline', async () => {
    const retry = { resultType: 'input_required', requestState: 'x' };
    const { call, http } = await rawModern(() => retry);
    expect(await call(testCaller('ann'))).toMatchObject({ error: { code: 'request.timeout' } });
    // After 0, 250, 750 and, if there is time, 1750 ms.
    expect(http.count('tools/call')).toBeGreaterThanOrEqual(2);
    expect(http.count('tools/call')).toBeLessThanOrEqual(4);
  });
});

it.each([
  ['together when the caller receives them in one result', true, 1, [true, true, undefined]],
  ['at once when the caller receives them one by one', false, 0, Array(3).fill(undefined)],
])(
  'a 2025 server over HTTP that asks several questions at once has them asked %s',
  async (_how, takesInputRequired, pings, expected) => {
    const mores: AskOptions['more'][] = [];
    const caller: Caller = {
      ...testCaller('ann', { takesInputRequired }),
      ask: (_question, { more } = {}) => {
        mores.push(more);
        return Promise.resolve({ ok: true, result: { roots: [] } });
      },
    };
    let sent = (): void => undefined;
    const all = new Promise<void>((resolve) => (sent = resolve));
    /** Sends each question some turns after the one before; pings are answered once all are sent. */
    const ask = async (_params: never, send: (message: unknown) => void) => {
      for (const id of ['a', 'b', 'c']) {
        send({ jsonrpc: '2.0', id, ...ROOTS });
        for (let turn = 0; turn < 20; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
      }
      sent();
      await eventually('the questions have reached the caller', () => mores.length === 3);
      return { content: [] };
    };
    const methods = { ping: () => all.then(() => ({})) };
    const { raw, downstream } = await connected({ events: true, callable: { ask }, methods });
    resultOf(await downstream.callTool({ server: 'raw', tool: 'ask' }, { caller }));
    expect([raw.count('ping'), mores]).toEqual([pings, expected]);
  },
);
