import { describe, expect, it } from 'vitest';
import { callFeature, connectedTo, useFeatures } from './harness/feature-servers.ts';
import { noAnswer, testCaller } from './harness/callers.ts';
import { eventually, testDownstream } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

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

describe.each(['stdio', 'streamable-http', 'sse'] as const)(
  'a request of a 2025 server over %s',
  (transport) => {
    const shared = useFeatures('gen1', transport);
    const connected = () => connectedTo('gen1', transport);

    it('reaches the caller unchanged, and the answer reaches the server', async () => {
      const downstream = shared();
      for (const question of [FORM, URL_MODE, SAMPLING, ROOTS]) {
        const caller = testCaller('ann');
        expect(await callFeature(downstream, 'ask', question, { caller })).toEqual({ from: 'ann' });
        expect(caller.asked).toEqual([question]);
      }
    });

    it('is refused when the caller does not declare what it needs', async () => {
      const downstream = shared();
      const caller = testCaller('ann', { capabilities: { elicitation: {} } });
      const ask = (question: object) => callFeature(downstream, 'ask', { ...question }, { caller });
      expect(await ask(SAMPLING)).toMatchObject({
        error: {
          code: -32601,
          message: expect.stringContaining('capability sampling') as string,
        },
      });
      expect(await ask(URL_MODE)).toMatchObject({ error: { code: -32602 } });
      expect(await ask(FORM)).toEqual({ from: 'ann' });
    });

    it('is refused when the call has no capable caller', async () => {
      const downstream = shared();
      expect(await callFeature(downstream, 'ask', ROOTS)).toMatchObject({
        error: { code: -32601 },
      });
    });

    it('that belongs to no call for certain is refused while calls of two callers run', async () => {
      const downstream = await connected();
      const controller = new AbortController();
      const other = testCaller('ben');
      const hanging = callFeature(
        downstream,
        'hang',
        {},
        { caller: other, signal: controller.signal },
      ).catch(() => 'cancelled');
      const caller = testCaller('ann');
      const ask = () => callFeature(downstream, 'ask', { ...ROOTS, own: false }, { caller });
      expect(await ask()).toMatchObject({
        error: { code: -32600, message: expect.stringContaining(SEVERAL) as string },
      });
      expect([caller.asked, other.asked]).toEqual([[], []]);
      controller.abort();
      expect(await hanging).toBe('cancelled');
      // The server may still be at work on the call that was given up.
      expect(await ask()).toMatchObject({ error: { code: -32600 } });
      const again = testCaller('ben');
      expect(
        await callFeature(downstream, 'ask', { ...ROOTS, own: false }, { caller: again }),
      ).toEqual({ from: 'ben' });
    });

    it('reaches a client without a session after a call that it gave up', async () => {
      const downstream = await connected();
      const controller = new AbortController();
      const callOf = (client: string) => testCaller('ann', { identity: {}, client });
      const hanging = callFeature(
        downstream,
        'hang',
        {},
        { caller: callOf('ann'), signal: controller.signal },
      ).catch(() => 'cancelled');
      controller.abort();
      expect(await hanging).toBe('cancelled');
      const ask = (client: string) =>
        callFeature(downstream, 'ask', { ...ROOTS, own: false }, { caller: callOf(client) });
      expect(await ask('ben')).toMatchObject({ error: { code: -32600 } });
      expect(await ask('ann')).toEqual({ from: 'ann' });
    });

    it('reaches one caller with several calls', async () => {
      const downstream = await connected();
      const controller = new AbortController();
      const caller = testCaller('ann');
      const hanging = callFeature(
        downstream,
        'hang',
        {},
        { caller: testCaller('ann'), signal: controller.signal },
      ).catch(() => 'cancelled');
      expect(
        await callFeature(downstream, 'ask', { ...ROOTS, own: false }, { caller }),
      ).toMatchObject({ from: 'ann' });
      controller.abort();
      await hanging;
    });

    it('is withdrawn when the server takes it back', async () => {
      const downstream = shared();
      const caller = testCaller('ann', {}, noAnswer);
      await callFeature(downstream, 'ask-and-withdraw', ROOTS, { caller });
      await eventually('the question is withdrawn', () => caller.signals[0]?.aborted === true);
    });

    it('is withdrawn when the caller goes away', async () => {
      const downstream = await connected();
      const caller = testCaller('ann', {}, noAnswer);
      const controller = new AbortController();
      const call = callFeature(downstream, 'ask', ROOTS, {
        caller,
        signal: controller.signal,
      }).catch(() => 'gone');
      await eventually('the question is asked', () => caller.asked.length === 1);
      controller.abort();
      expect(await call).toBe('gone');
      expect(caller.signals[0]?.aborted).toBe(true);
      expect(await callFeature(downstream, 'ask', ROOTS, { caller: testCaller('ann') })).toEqual({
        from: 'ann',
      });
    });

    it('notifies the caller of a completed page', async () => {
      const downstream = shared();
      const caller = testCaller('ann');
      await callFeature(downstream, 'ask-for-page', { elicitationId: 'seven' }, { caller });
      await eventually('the end of the page is told', () => caller.notified.length === 1);
      expect(caller.notified).toEqual([
        { method: 'notifications/elicitation/complete', params: { elicitationId: 'seven' } },
      ]);
    });
  },
);

describe('a server request on the stream of its call', () => {
  it('reaches the correct one of two concurrent callers', async () => {
    const downstream = await connectedTo('gen1', 'streamable-http');
    const callers = ['ann', 'ben', 'cid', 'dee'].map((name) => testCaller(name));
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
    const callers = ['ann', 'ben', 'cid', 'dee'].map((name) => testCaller(name));
    const answers = await Promise.all(
      callers.map((caller) => callFeature(downstream, 'ask', SAMPLING, { caller })),
    );
    for (const [index, { identity, asked }] of callers.entries()) {
      const answer = answers[index] as { readonly from?: unknown; readonly error?: unknown };
      if (answer.error === undefined) expect(answer).toEqual({ from: identity });
      else expect(answer).toMatchObject({ error: { code: -32600 } });
      expect(asked.length).toBe(answer.error === undefined ? 1 : 0);
    }
    expect(JSON.stringify(answers)).toContain(SEVERAL);
  });
});

describe.each(['stdio', 'streamable-http'] as const)(
  'a 2025 server that dies over %s',
  (transport) => {
    it('cancels its request', async () => {
      const downstream = await connectedTo('gen1', transport);
      const caller = testCaller('ann', {}, noAnswer);
      const call = downstream.callTool(
        { server: 'features', tool: 'ask-and-die', arguments: ROOTS },
        { caller },
      );
      await eventually('the question is asked', () => caller.asked.length === 1);
      expect(await call).toMatchObject({ error: { code: 'server.connection-lost' } });
      expect(caller.signals[0]?.aborted).toBe(true);
    });
  },
);

describe('a 2025 server', () => {
  it('receives the capabilities of clients, and none when they have none', async () => {
    for (const features of [{ sampling: {}, roots: {} }, undefined]) {
      const http = await startRawHttp();
      const { downstream } = testDownstream(
        features === undefined ? {} : { clientFeatures: features },
      );
      downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
      await downstream.settled();
      const initialize = http.mcp.seen.find(({ method }) => method === 'initialize');
      expect(initialize?.params).toMatchObject({ capabilities: features ?? {} });
    }
  });

  it('gets an answer to its ping', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    expect(await callFeature(downstream, 'ask', { method: 'ping', params: {} })).toEqual({});
  });
});
