import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { start, type InteractiveEndpoint } from './endpoint.ts';
import { eventsOf, pause, readAnswer, until } from './wire-client.ts';

const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ROOTS = { method: 'roots/list', params: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface Params {
  readonly requestState?: string;
  readonly inputResponses?: unknown;
  readonly _meta?: object;
}

const tryCall = (endpoint: InteractiveEndpoint, name: string, args: object, params: Params = {}) =>
  endpoint.postModern('tools/call', {
    name,
    arguments: args,
    ...params,
    _meta: { [CAPABILITIES]: { elicitation: {}, roots: {} }, ...params._meta },
  });

const ask = (endpoint: InteractiveEndpoint, questions: readonly object[], params?: Params) =>
  tryCall(endpoint, 'ask', { questions }, params);

/** Suspends a call and returns its state. */
const suspend = async (endpoint: InteractiveEndpoint, params?: Params): Promise<string> =>
  (await ask(endpoint, [ELICITATION], params)).json.result.requestState as string;

const failed = (code: number, message: string) => ({ ok: false, error: { code, message } });

describe('a question to the caller of a call of 2026-07-28', () => {
  it('suspends the call, and the retry with the answer resumes it', async () => {
    const endpoint = await start();
    const { json } = await ask(endpoint, [ELICITATION]);
    const state = expect.stringMatching(/^suspended\.[\w-]{12}\.[\w-]{8}\.[\w-]{22}$/) as string;
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { q1: ELICITATION },
        requestState: state,
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'interactive', version: '1' } },
      },
    });
    expect(endpoint.stats().inFlight).toBe(0);
    const retry = { requestState: json.result.requestState, inputResponses: { q1: ADA } };
    const second = await ask(endpoint, [ELICITATION], retry);
    expect(second.json.result.resultType).toBe('complete');
    expect(readAnswer(second)).toEqual([{ ok: true, result: ADA }]);
  });

  it('sends concurrent questions as one result, and repeats those without an answer', async () => {
    const endpoint = await start();
    const askBoth = (params?: Params) => ask(endpoint, [ELICITATION, ROOTS], params);
    const first = (await askBoth()).json.result;
    expect(first.inputRequests).toEqual({ q1: ELICITATION, q2: ROOTS });
    const { requestState } = first;
    const extra = { q1: ADA, q2: { roots: 'none' }, q9: {}, __proto__: {} };
    const second = (await askBoth({ requestState, inputResponses: extra })).json.result;
    expect(second.inputRequests).toEqual({ q2: ROOTS });
    expect(second.requestState).not.toBe(requestState);
    const inputResponses = { q2: { roots: [] } };
    const third = await askBoth({ requestState: second.requestState, inputResponses });
    expect(readAnswer(third)).toEqual([
      { ok: true, result: ADA },
      { ok: true, result: { roots: [] } },
    ]);
  });

  const ALL = ['q1', 'q2', 'q3'];
  it.each([
    ['sends questions that announce the next one as one result', [true, true], ALL],
    ['sends a question that announces none at once', [false], ['q1']],
    ['sends a question whose announced successor does not come', [true, true, true], ALL],
  ])('%s', async (_name, more, expected) => {
    const questions = [ELICITATION, ROOTS, ELICITATION];
    const { json } = await tryCall(await start(), 'ask-apart', { questions, more });
    expect(Object.keys(json.result.inputRequests)).toEqual(expected);
  });

  it('goes through several rounds with a state of its own each', async () => {
    const endpoint = await start();
    const askInTurn = async (params?: Params) =>
      tryCall(endpoint, 'ask-in-turn', { questions: [ELICITATION, ROOTS] }, params);
    const first = (await askInTurn()).json.result;
    const retry = { requestState: first.requestState, inputResponses: { q1: ADA } };
    const second = (await askInTurn(retry)).json.result;
    expect(second.inputRequests).toEqual({ q2: ROOTS });
    expect((await askInTurn(retry)).json.error.code).toBe(-32602);
    const { requestState } = second;
    const third = await askInTurn({ requestState, inputResponses: { q2: { roots: [] } } });
    expect(readAnswer(third)).toHaveLength(2);
  });

  it('ends after too many rounds', async () => {
    const endpoint = await start({ limits: { maxInputRounds: 1 } });
    const retry = { requestState: await suspend(endpoint), inputResponses: {} };
    const answer = readAnswer(await ask(endpoint, [ELICITATION], retry));
    expect(answer).toEqual([failed(-32000, 'The caller was asked 1 times without an end')]);
  });

  it('refuses a retry of another request, one without answers and one with a changed state', async () => {
    const endpoint = await start();
    const requestState = await suspend(endpoint);
    const retry = { requestState, inputResponses: { q1: ADA } };
    const errorOf = async (params: Params, name = 'ask') =>
      (await tryCall(endpoint, name, { questions: [ELICITATION] }, params)).json.error.message;
    const noResponses = 'params.inputResponses must be an object';
    expect(await errorOf(retry, 'log')).toBe('The requestState belongs to another request');
    expect(await errorOf({ requestState })).toBe(noResponses);
    expect(await errorOf({ ...retry, inputResponses: null })).toBe(noResponses);
    expect(await errorOf({ ...retry, requestState: `${requestState}-x` })).toBe(
      'The call of this requestState is over or has expired; start it again',
    );
    expect(readAnswer(await ask(endpoint, [ELICITATION], retry))).toHaveLength(1);
    expect(endpoint.interactive.retries).toEqual([]);
  });

  it('leaves a state that is not its own to the service', async () => {
    const endpoint = await start();
    const states = ['abc', '__proto__', '', '😀', 'suspended.x.y.z', 'x'.repeat(100_000)];
    for (const requestState of states) {
      const answer = await ask(endpoint, [], { requestState, inputResponses: { a: 1 } });
      expect(readAnswer(answer)).toBe('passed on');
    }
    expect(endpoint.interactive.retries).toEqual(states.map((state) => [state, { a: 1 }]));
  });

  it('passes the progress of the call on under the token of the request that waits', async () => {
    const endpoint = await start();
    const requestState = await suspend(endpoint, { _meta: { progressToken: 'first' } });
    const retry = { requestState, inputResponses: { q1: ADA }, _meta: { progressToken: 'second' } };
    expect(eventsOf((await ask(endpoint, [ELICITATION], retry)).text)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'second', progress: 1 } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });

  it('gives the outcome of a call that has ended by itself to its retry', async () => {
    const endpoint = await start();
    const leave = (params?: Params) =>
      tryCall(endpoint, 'ask-and-leave', { questions: [ELICITATION] }, params);
    const { resultType, requestState } = (await leave()).json.result;
    expect(resultType).toBe('input_required');
    await pause(40);
    expect(readAnswer(await leave({ requestState, inputResponses: {} }))).toBe('left');
  });

  it('is forgotten when the caller does not come back', async () => {
    const endpoint = await start({ limits: { suspendedTimeoutMs: 20 } });
    const requestState = await suspend(endpoint);
    await pause(60);
    const late = await ask(endpoint, [ELICITATION], { requestState, inputResponses: { q1: ADA } });
    expect(late.json.error.code).toBe(-32602);
  });

  it('fails when too many calls wait already, and without the capability', async () => {
    const endpoint = await start({ limits: { maxSuspendedCalls: 1 } });
    const _meta = { [CAPABILITIES]: { sampling: {} } };
    expect(readAnswer(await ask(endpoint, [ELICITATION], { _meta }))).toEqual([
      failed(-32601, 'The client has not declared the capability "elicitation"'),
    ]);
    await suspend(endpoint);
    expect(readAnswer(await ask(endpoint, [ELICITATION]))).toEqual([
      failed(-32000, 'Too many calls wait for their callers: the limit of 1 is reached'),
    ]);
  });

  it('accepts well-formed answers only', async () => {
    const endpoint = await start();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (q1) => {
        const { action } = (q1 ?? {}) as { action?: unknown };
        fc.pre(!['accept', 'decline', 'cancel'].includes(String(action)));
        const retry = { requestState: await suspend(endpoint), inputResponses: { q1 } };
        const again = await ask(endpoint, [ELICITATION], retry);
        expect(again.json.result.inputRequests).toEqual({ q1: ELICITATION });
      }),
      { numRuns: 30 },
    );
  });

  it('lets the server shut down while calls wait', async () => {
    const endpoint = await start();
    await ask(endpoint, [ELICITATION]);
    await endpoint.drain(0);
    await until(() => endpoint.stats().inFlight === 0);
    expect(endpoint.errors).toEqual([]);
  });
});

it('answers a question that is nested too deeply with an error, and the call continues', async () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const endpoint = await start({
    change: (service) => ({
      ...service,
      call: async (_call, { caller }) => {
        caller.notify({ method: 'notifications/odd', params: { deep } });
        const answer = await caller.ask({ method: 'roots/list', params: { deep } });
        return { ok: true, result: { content: [], answer } };
      },
    }),
  });
  const { json } = await ask(endpoint, []);
  expect(json.result.answer).toEqual({
    ok: false,
    error: { code: -32603, message: 'The question cannot be written as JSON' },
  });
  expect(endpoint.stats().inFlight).toBe(0);
});
