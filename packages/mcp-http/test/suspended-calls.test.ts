import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { eventsOf, postModern, until, type Answer } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ROOTS = { method: 'roots/list', params: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type Params = Readonly<Record<string, unknown>>;

const tryCall = (endpoint: InteractiveEndpoint, name: string, params: Params): Promise<Answer> =>
  postModern(endpoint.url, 'tools/call', {
    name,
    ...params,
    _meta: { [CAPABILITIES]: { elicitation: {}, roots: {} }, ...(params['_meta'] as object) },
  });

const ask = (endpoint: InteractiveEndpoint, questions: readonly object[], params: Params = {}) =>
  tryCall(endpoint, 'ask', { arguments: { questions }, ...params });

const answersOf = ({ json }: Answer): unknown => JSON.parse(json.result.content[0].text);

describe('a question to the caller of a call of 2026-07-28', () => {
  it('suspends the call, and the retry with the answer resumes it', async () => {
    const endpoint = await start();
    const first = await ask(endpoint, [ELICITATION]);
    expect(first.json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { q1: ELICITATION },
        requestState: expect.stringMatching(
          /^suspended\.[\w-]{12}\.[\w-]{8}\.[\w-]{22}$/,
        ) as string,
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'interactive', version: '1' } },
      },
    });
    expect(endpoint.mcp.stats().inFlight).toBe(0);
    const { requestState } = first.json.result;
    const second = await ask(endpoint, [ELICITATION], {
      requestState,
      inputResponses: { q1: ADA },
    });
    expect(second.json.result.resultType).toBe('complete');
    expect(answersOf(second)).toEqual([{ ok: true, result: ADA }]);
  });

  it('sends concurrent questions as one result, and repeats those without an answer', async () => {
    const endpoint = await start();
    const first = await ask(endpoint, [ELICITATION, ROOTS]);
    expect(first.json.result.inputRequests).toEqual({ q1: ELICITATION, q2: ROOTS });
    const { requestState } = first.json.result;
    const extra = { q1: ADA, q2: { roots: 'none' }, q9: {}, __proto__: {} };
    const second = await ask(endpoint, [ELICITATION, ROOTS], {
      requestState,
      inputResponses: extra,
    });
    expect(second.json.result.inputRequests).toEqual({ q2: ROOTS });
    expect(second.json.result.requestState).not.toBe(requestState);
    const third = await ask(endpoint, [ELICITATION, ROOTS], {
      requestState: second.json.result.requestState,
      inputResponses: { q2: { roots: [] } },
    });
    expect(answersOf(third)).toEqual([
      { ok: true, result: ADA },
      { ok: true, result: { roots: [] } },
    ]);
  });

  it.each([
    ['sends questions that announce the next one as one result', [true, true], ['q1', 'q2', 'q3']],
    ['sends a question that announces none at once', [false], ['q1']],
    [
      'sends a question whose announced successor does not come',
      [true, true, true],
      ['q1', 'q2', 'q3'],
    ],
  ])('%s', async (_name, more, expected) => {
    const endpoint = await start();
    const questions = [ELICITATION, ROOTS, ELICITATION];
    const { json } = await tryCall(endpoint, 'ask-apart', { arguments: { questions, more } });
    expect(Object.keys(json.result.inputRequests)).toEqual(expected);
  });

  it('goes through several rounds with a state of its own each', async () => {
    const endpoint = await start();
    const args = { arguments: { questions: [ELICITATION, ROOTS] } };
    const first = await tryCall(endpoint, 'ask-in-turn', args);
    const second = await tryCall(endpoint, 'ask-in-turn', {
      ...args,
      requestState: first.json.result.requestState,
      inputResponses: { q1: ADA },
    });
    expect(second.json.result.inputRequests).toEqual({ q2: ROOTS });
    const stale = await tryCall(endpoint, 'ask-in-turn', {
      ...args,
      requestState: first.json.result.requestState,
      inputResponses: { q1: ADA },
    });
    expect(stale.json.error.code).toBe(-32602);
    const third = await tryCall(endpoint, 'ask-in-turn', {
      ...args,
      requestState: second.json.result.requestState,
      inputResponses: { q2: { roots: [] } },
    });
    expect(answersOf(third)).toHaveLength(2);
  });

  it('ends after too many rounds', async () => {
    const endpoint = await start({ limits: { maxInputRounds: 1 } });
    const first = await ask(endpoint, [ELICITATION]);
    const { requestState } = first.json.result;
    const second = await ask(endpoint, [ELICITATION], { requestState, inputResponses: {} });
    expect(answersOf(second)).toEqual([
      {
        ok: false,
        error: { code: -32000, message: 'The caller was asked 1 times without an end' },
      },
    ]);
  });

  it('refuses a retry of another request, one without answers and one with a changed state', async () => {
    const endpoint = await start();
    const first = await ask(endpoint, [ELICITATION]);
    const { requestState } = first.json.result;
    const inputResponses = { q1: ADA };
    const other = await tryCall(endpoint, 'log', { requestState, inputResponses });
    const without = await ask(endpoint, [ELICITATION], { requestState });
    const odd = await ask(endpoint, [ELICITATION], { requestState, inputResponses: null });
    const changed = await ask(endpoint, [ELICITATION], {
      requestState: `${requestState}-x`,
      inputResponses,
    });
    expect([other, without, odd, changed].map(({ json }) => json.error as unknown)).toEqual([
      { code: -32602, message: 'The requestState belongs to another request' },
      { code: -32602, message: 'params.inputResponses must be an object' },
      { code: -32602, message: 'params.inputResponses must be an object' },
      {
        code: -32602,
        message: 'The call of this requestState is over or has expired; start it again',
      },
    ]);
    const right = await ask(endpoint, [ELICITATION], { requestState, inputResponses });
    expect(answersOf(right)).toHaveLength(1);
    expect(endpoint.interactive.retries).toEqual([]);
  });

  it('leaves a state that is not its own to the service', async () => {
    const endpoint = await start();
    const states = ['abc', '__proto__', '', '😀', 'suspended.x.y.z', 'x'.repeat(100_000)];
    for (const requestState of states) {
      const answer = await ask(endpoint, [], { requestState, inputResponses: { a: 1 } });
      expect(answersOf(answer)).toBe('passed on');
    }
    expect(endpoint.interactive.retries).toEqual(states.map((state) => [state, { a: 1 }]));
  });

  it('passes the progress of the call on under the token of the request that waits', async () => {
    const endpoint = await start();
    const _meta = { progressToken: 'first' };
    const first = await ask(endpoint, [ELICITATION], { _meta });
    const { requestState } = first.json.result;
    const second = await ask(endpoint, [ELICITATION], {
      requestState,
      inputResponses: { q1: ADA },
      _meta: { progressToken: 'second' },
    });
    expect(eventsOf(second.text)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'second', progress: 1 } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });

  it('gives the outcome of a call that has ended by itself to its retry', async () => {
    const endpoint = await start({});
    const args = { arguments: { questions: [ELICITATION] } };
    const first = await tryCall(endpoint, 'ask-and-leave', args);
    expect(first.json.result.resultType).toBe('input_required');
    await new Promise((resolve) => setTimeout(resolve, 40));
    const { requestState } = first.json.result;
    const second = await tryCall(endpoint, 'ask-and-leave', {
      ...args,
      requestState,
      inputResponses: {},
    });
    expect(answersOf(second)).toBe('left');
  });

  it('is forgotten when the caller does not come back', async () => {
    const endpoint = await start({ limits: { suspendedTimeoutMs: 20 } });
    const first = await ask(endpoint, [ELICITATION]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const { requestState } = first.json.result;
    const late = await ask(endpoint, [ELICITATION], { requestState, inputResponses: { q1: ADA } });
    expect(late.json.error.code).toBe(-32602);
  });

  it('fails when too many calls wait already', async () => {
    const endpoint = await start({ limits: { maxSuspendedCalls: 1 } });
    expect((await ask(endpoint, [ELICITATION])).json.result.resultType).toBe('input_required');
    expect(answersOf(await ask(endpoint, [ELICITATION]))).toEqual([
      {
        ok: false,
        error: {
          code: -32000,
          message: 'Too many calls wait for their callers: the limit of 1 is reached',
        },
      },
    ]);
  });

  it('requires the capability that the caller declared', async () => {
    const endpoint = await start();
    const _meta = { [CAPABILITIES]: { sampling: {} } };
    expect(answersOf(await ask(endpoint, [ELICITATION], { _meta }))).toEqual([
      {
        ok: false,
        error: {
          code: -32601,
          message: 'The client has not declared the capability "elicitation"',
        },
      },
    ]);
  });

  it('accepts well-formed answers only', async () => {
    const endpoint = await start();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (q1) => {
        const { action } = (q1 ?? {}) as { action?: unknown };
        fc.pre(!['accept', 'decline', 'cancel'].includes(String(action)));
        const first = await ask(endpoint, [ELICITATION]);
        const { requestState } = first.json.result;
        const again = await ask(endpoint, [ELICITATION], { requestState, inputResponses: { q1 } });
        expect(again.json.result.inputRequests).toEqual({ q1: ELICITATION });
      }),
      { numRuns: 30 },
    );
  });

  it('lets the server shut down while calls wait', async () => {
    const endpoint = await start();
    await ask(endpoint, [ELICITATION]);
    await endpoint.drain(0);
    await until(() => endpoint.mcp.stats().inFlight === 0);
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
  expect(endpoint.mcp.stats().inFlight).toBe(0);
});
