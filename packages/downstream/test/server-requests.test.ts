import { describe, expect, it } from 'vitest';
import type { Caller } from '@gateway/call-contract';
import type { Downstream } from '../src/index.ts';
import { callFeature, connectedTo, useFeatures } from './harness/feature-servers.ts';
import { noAnswer, testCaller } from './harness/callers.ts';
import { eventually } from './harness/downstream.ts';
import { connected } from './harness/http-connection.ts';

const FORM = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};
const URL_MODE = {
  method: 'elicitation/create',
  params: { mode: 'url', url: 'https://example.com', message: 'Open', elicitationId: 'one' },
};
const SAMPLING = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 5, odd: true },
};
const ROOTS = { method: 'roots/list', params: {} };

const SEVERAL =
  'calls of several clients are running on this connection, so the client of this request is unknown';
const refusal = (code: number, text = '') => ({
  error: { code, message: expect.stringContaining(text) as string },
});

/** Starts a call that ends when the test cancels it. */
const hang = (downstream: Downstream, caller: Caller) => {
  const controller = new AbortController();
  const options = { caller, signal: controller.signal };
  const outcome = callFeature(downstream, 'hang', {}, options).catch(() => 'cancelled');
  return async (): Promise<void> => {
    controller.abort();
    expect(await outcome).toBe('cancelled');
  };
};

/** Asks on the stream that all calls share. */
const askAnyone = (downstream: Downstream, caller: Caller) =>
  callFeature(downstream, 'ask', { ...ROOTS, own: false }, { caller });

describe.each(['stdio', 'streamable-http', 'sse'] as const)(
  'a request of a 2025 server over %s',
  (transport) => {
    const shared = useFeatures('gen1', transport);
    const ask = (question: object, caller?: Caller) =>
      callFeature(shared(), 'ask', { ...question }, { ...(caller && { caller }) });

    it('reaches the caller unchanged, and the answer reaches the server', async () => {
      for (const question of [FORM, URL_MODE, SAMPLING, ROOTS]) {
        const caller = testCaller('ann');
        expect(await ask(question, caller)).toEqual({ from: 'ann' });
        expect(caller.asked).toEqual([question]);
      }
    });

    it('is refused when the caller does not declare what it needs, and without a caller', async () => {
      const caller = testCaller('ann', { capabilities: { elicitation: {} } });
      expect(await ask(SAMPLING, caller)).toMatchObject(refusal(-32601, 'capability sampling'));
      expect(await ask(URL_MODE, caller)).toMatchObject(refusal(-32602));
      expect(await ask(FORM, caller)).toEqual({ from: 'ann' });
      expect(await ask(ROOTS)).toMatchObject(refusal(-32601));
    });

    it('that belongs to no call for certain is refused while calls of two callers run', async () => {
      const downstream = await connectedTo('gen1', transport);
      const [caller, other] = [testCaller('ann'), testCaller('ben')];
      const cancel = hang(downstream, other);
      expect(await askAnyone(downstream, caller)).toMatchObject(refusal(-32600, SEVERAL));
      expect([caller.asked, other.asked]).toEqual([[], []]);
      await cancel();
      // The server may still be at work on the call that was given up.
      expect(await askAnyone(downstream, caller)).toMatchObject(refusal(-32600));
      expect(await askAnyone(downstream, testCaller('ben'))).toEqual({ from: 'ben' });
    });

    it('reaches a client without a session after a call that it gave up', async () => {
      const downstream = await connectedTo('gen1', transport);
      const callerOf = (client: string) => testCaller('ann', { identity: {}, client });
      await hang(downstream, callerOf('ann'))();
      expect(await askAnyone(downstream, callerOf('ben'))).toMatchObject(refusal(-32600));
      expect(await askAnyone(downstream, callerOf('ann'))).toEqual({ from: 'ann' });
    });

    it('is withdrawn when the server takes it back', async () => {
      const caller = testCaller('ann', {}, noAnswer);
      await callFeature(shared(), 'ask-and-withdraw', ROOTS, { caller });
      await eventually('the question is withdrawn', () => caller.signals[0]?.aborted === true);
    });

    it('is withdrawn when the caller goes away', async () => {
      const downstream = await connectedTo('gen1', transport);
      const caller = testCaller('ann', {}, noAnswer);
      const controller = new AbortController();
      const options = { caller, signal: controller.signal };
      const call = callFeature(downstream, 'ask', ROOTS, options).catch(() => 'gone');
      await eventually('the question is asked', () => caller.asked.length === 1);
      controller.abort();
      expect(await call).toBe('gone');
      expect(caller.signals[0]?.aborted).toBe(true);
      const next = { caller: testCaller('ann') };
      expect(await callFeature(downstream, 'ask', ROOTS, next)).toEqual({ from: 'ann' });
    });

    it('notifies the caller of a completed page', async () => {
      const caller = testCaller('ann');
      const params = { elicitationId: 'seven' };
      await callFeature(shared(), 'ask-for-page', params, { caller });
      await eventually('the end of the page is told', () => caller.notified.length === 1);
      const method = 'notifications/elicitation/complete';
      expect(caller.notified).toEqual([{ method, params }]);
    });
  },
);

describe('a server request on the stream of its call', () => {
  const fourCallers = () => ['ann', 'ben', 'cid', 'dee'].map((name) => testCaller(name));

  it('reaches the correct one of two concurrent callers', async () => {
    const downstream = await connectedTo('gen1', 'streamable-http');
    const callers = fourCallers();
    const answers = await Promise.all(
      callers.map((caller) => callFeature(downstream, 'ask-twice', SAMPLING, { caller })),
    );
    expect(answers).toEqual(
      callers.map(({ identity }) => [{ from: identity }, { from: identity }]),
    );
    expect(callers.map(({ asked }) => asked.length)).toEqual([2, 2, 2, 2]);
  });

  it('is refused over stdio while calls of two callers run, and mixed up never', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const callers = fourCallers();
    const answers = await Promise.all(
      callers.map((caller) => callFeature(downstream, 'ask', SAMPLING, { caller })),
    );
    for (const [index, { identity, asked }] of callers.entries()) {
      const answer = answers[index] as { readonly from?: unknown; readonly error?: unknown };
      if (answer.error === undefined) expect(answer).toEqual({ from: identity });
      else expect(answer).toMatchObject(refusal(-32600));
      expect(asked.length).toBe(answer.error === undefined ? 1 : 0);
    }
    expect(JSON.stringify(answers)).toContain(SEVERAL);
  });
});

it.each(['stdio', 'streamable-http'] as const)(
  'a 2025 server that dies over %s cancels its request',
  async (transport) => {
    const downstream = await connectedTo('gen1', transport);
    const caller = testCaller('ann', {}, noAnswer);
    const call = { server: 'features', tool: 'ask-and-die', arguments: ROOTS };
    const outcome = downstream.callTool(call, { caller });
    await eventually('the question is asked', () => caller.asked.length === 1);
    expect(await outcome).toMatchObject({ error: { code: 'server.connection-lost' } });
    expect(caller.signals[0]?.aborted).toBe(true);
  },
);

describe('a 2025 server', () => {
  it.each([{ clientFeatures: { sampling: {}, roots: {} } }, {}])(
    'receives the capabilities of clients, and none when they have none: %j',
    async (options) => {
      const { raw } = await connected({}, options);
      const initialize = raw.mcp.seen.find(({ method }) => method === 'initialize');
      const capabilities = options.clientFeatures ?? {};
      expect(initialize?.params).toMatchObject({ capabilities });
    },
  );

  it('gets an answer to its ping', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    expect(await callFeature(downstream, 'ask', { method: 'ping', params: {} })).toEqual({});
  });
});
