import type { AskOptions, Caller, ClientAnswer } from '@gateway/call-contract';
import { Session as Inspector } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import type { IncomingRequestContext } from '../src/requests/intercepting-transport.ts';
import type { RunningRequest } from '../src/requests/outgoing-requests.ts';
import { ServerMessages } from '../src/requests/server-messages.ts';
import { noAnswer, testCaller } from './harness/callers.ts';

const ROOTS = { method: 'roots/list', params: {} };

/** A connection whose calls the test starts and ends; times are milliseconds. */
const connection = (
  options: { readonly isModern?: boolean; readonly roundTrip?: () => Promise<void> } = {},
) => {
  let time = 0;
  const notified: unknown[] = [];
  const running = new Map<number, RunningRequest>();
  const messages = new ServerMessages({
    isModern: () => options.isModern === true,
    notify: (method, params) => notified.push({ method, params }),
    onResourceUpdated: () => undefined,
    now: () => time,
    roundTrip: options.roundTrip ?? (() => Promise.reject(new Error('not expected'))),
  });
  const start = (id: number, caller?: Caller, method = 'tools/call'): void => {
    const request = { method, params: {}, timeoutMs: 1_000 };
    const options = caller === undefined ? {} : { options: { caller } };
    running.set(id, { id, request: { ...request, ...options }, isBegun: false });
  };
  const end = (id: number, how: 'settled' | 'given-up' = 'settled'): void => {
    const request = running.get(id);
    running.delete(id);
    if (request !== undefined) messages.onRequestOver(request, how);
  };
  const at = (requestId: number | string, owner?: number): IncomingRequestContext => ({
    requestId,
    ownStream: owner !== undefined,
    owner: owner === undefined ? undefined : running.get(owner),
    running: () => running.values(),
  });
  const ask = (requestId: number | string, owner?: number, question = ROOTS) =>
    messages.onRequest(question, at(requestId, owner));
  const cancel = (requestId: unknown): boolean =>
    messages.onNotification(
      { method: 'notifications/cancelled', params: { requestId } },
      at('none'),
    );
  const pass = (ms: number): void => {
    time += ms;
  };
  return { messages, notified, start, end, at, ask, cancel, pass };
};

const REFUSED = { ok: false, error: { code: -32600 } };
const from = (name: string) => ({ ok: true, result: { from: name } });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const refused = (code: number) => ({ ok: false, error: { code } });

it('a server request on the stream of an answered request is not taken for that of another call', async () => {
  const { start, end, ask } = connection();
  const ben = testCaller('ben');
  start(1, testCaller('ann'));
  end(1);
  start(2, ben);
  expect(await ask('q', 1)).toMatchObject(REFUSED);
  expect(ben.asked).toEqual([]);
  expect(await ask('r', 2)).toEqual(from('ben'));
});

it('a server request on the stream of the gateway’s own request has no addressee, and does not block others', async () => {
  const { start, ask } = connection();
  start(1, undefined, 'tools/list');
  start(2, testCaller('ann'));
  expect(await ask('q', 1)).toMatchObject(REFUSED);
  expect(await ask('r')).toEqual(from('ann'));
});

describe('cancelled calls', () => {
  const cancelled = (caller = testCaller('ann')) => {
    const its = connection();
    its.start(1, caller);
    its.end(1, 'given-up');
    return its;
  };

  it('block requests to others until the server answers them', async () => {
    const { start, ask, messages } = cancelled();
    expect(await ask('p')).toMatchObject(REFUSED);
    start(2, testCaller('ben'));
    expect(await ask('q')).toMatchObject(REFUSED);
    messages.onLateAnswer(1);
    expect(await ask('r')).toEqual(from('ben'));
  });

  it('block requests to others for a minute, whatever their number', async () => {
    const { start, end, ask, pass } = cancelled();
    for (let id = 2; id < 1_003; id += 1) {
      start(id, testCaller('ben'));
      end(id, 'given-up');
    }
    start(2_000, testCaller('ben'));
    pass(59_999);
    expect(await ask('q')).toMatchObject(REFUSED);
    pass(1);
    expect(await ask('r')).toEqual(from('ben'));
  });

  it('retain nothing of the call', async () => {
    const inspector = new Inspector();
    inspector.connect();
    const given = new WeakRef(testCaller('ann', { identity: 'session' }));
    const { ask } = cancelled(given.deref());
    // What a test has looked at lives on until the event loop turns.
    await nextTurn();
    await inspector.post('HeapProfiler.collectGarbage');
    inspector.disconnect();
    expect(given.deref()).toBeUndefined();
    expect(await ask('q')).toMatchObject(REFUSED);
  });
});

describe('an open server request', () => {
  it('goes to another call of the same caller when the one it went to ends', async () => {
    const { start, end, ask } = connection();
    const first = testCaller('ann');
    const second = testCaller('ann', {}, noAnswer);
    start(1, first);
    start(2, second);
    const answer = ask('q');
    expect([first.asked.length, second.asked.length]).toEqual([0, 1]);
    start(3, testCaller('ben'));
    end(2);
    expect(await answer).toEqual(from('ann'));
    expect(second.signals[0]?.aborted).toBe(true);
  });

  it('ends with the last call of its caller, whoever else calls', async () => {
    const { start, end, ask } = connection();
    const ben = testCaller('ben');
    start(1, testCaller('ann', {}, noAnswer));
    const answer = ask('q');
    start(2, ben);
    end(1);
    expect(await answer).toMatchObject(REFUSED);
    expect(ben.asked).toEqual([]);
  });

  it('gets no answer any more when the server takes it back', async () => {
    const { start, ask, cancel } = connection();
    const caller = testCaller('ann', {}, noAnswer);
    start(1, caller);
    const answer = ask('q');
    // Ids of one side say nothing about the other's, and 1 is not "1".
    expect([cancel(1), cancel(undefined), cancel('q')]).toEqual([false, false, true]);
    expect(await answer).toBeUndefined();
    expect(caller.signals[0]?.aborted).toBe(true);
  });

  it('owns its id', async () => {
    const { start, ask, end } = connection();
    start(1, testCaller('ann', {}, noAnswer));
    const first = ask(7);
    expect(await ask(7)).toBeUndefined();
    end(1);
    expect(await first).toMatchObject(REFUSED);
  });

  it('is one of 64 at most', async () => {
    const { start, ask, end } = connection();
    start(1, testCaller('ann', {}, noAnswer));
    const open = Array.from({ length: 64 }, (_, id) => ask(id));
    expect(await ask(64)).toMatchObject(refused(-32000));
    end(1);
    await Promise.all(open);
    start(2, testCaller('ann'));
    expect(await ask(65)).toMatchObject({ ok: true });
  });

  it('lets the caller report progress under the token of the server, while it is open', async () => {
    const { start, ask, notified, end } = connection();
    let report = (_progress: { readonly progress: number }): void => undefined;
    const caller: Caller = {
      ...testCaller('ann'),
      ask: (_question, options) => {
        report = (progress) => options?.onProgress?.(progress);
        return new Promise<ClientAnswer>(() => undefined);
      },
    };
    start(1, caller);
    const params = { _meta: { progressToken: 'theirs' } };
    const answer = ask('q', 1, { ...ROOTS, params });
    report({ progress: 1 });
    end(1);
    report({ progress: 2 });
    expect(await answer).toMatchObject(REFUSED);
    const told = { progress: 1, progressToken: 'theirs' };
    expect(notified).toEqual([{ method: 'notifications/progress', params: told }]);
  });

  it('is answered when the caller fails', async () => {
    const { start, ask } = connection();
    const failing = testCaller('ann', {}, () => Promise.reject(new Error('gone')));
    start(1, failing);
    expect(await ask('q')).toMatchObject(refused(-32603));
  });
});

describe('questions to a caller who receives them in one result', () => {
  /** A server that answers when the test says so, and a caller who answers nothing. */
  const asking = () => {
    const answers: (() => void)[] = [];
    const roundTrip = () => new Promise<void>((resolve) => answers.push(resolve));
    const asked: [unknown, AskOptions['more']][] = [];
    const caller: Caller = {
      ...testCaller('ann', { takesInputRequired: true, capabilities: { roots: {} } }),
      ask: ({ params }, { more } = {}) => {
        asked.push([params['n'], more]);
        return noAnswer();
      },
    };
    const its = connection({ roundTrip });
    its.start(1, caller);
    const question = (n: number, call = 1) =>
      its.ask(`q${n}`, call, { method: 'roots/list', params: { n } });
    const answer = async (): Promise<void> => {
      answers.shift()?.();
      await nextTurn();
    };
    /** Ends the call, and with it all questions. */
    const finish = async (...open: readonly Promise<unknown>[]): Promise<void> => {
      its.end(1);
      await Promise.all(open);
    };
    return { ...its, asked, question, answer, finish, trips: () => answers.length };
  };

  it('wait for those that the server sends before it answers', async () => {
    const { asked, question, answer, trips, finish } = asking();
    const open = [question(1), question(2)];
    await nextTurn();
    open.push(question(3));
    expect([asked, trips()]).toEqual([[], 1]);
    await answer();
    expect(asked).toEqual([
      [1, true],
      [2, true],
      [3, undefined],
    ]);
    open.push(question(4));
    await answer();
    expect(asked.slice(3)).toEqual([[4, undefined]]);
    await finish(...open);
  });

  it('are asked before the server gets the refusal of another one of the round, which may end the call', async () => {
    const { asked, question, answer, ask, finish } = asking();
    const refusals: unknown[] = [];
    const refuse = async (id: string): Promise<void> => {
      const refusal = await ask(id, 1, { method: 'sampling/createMessage', params: {} });
      refusals.push([refusal, [...asked]]);
    };
    const open: Promise<unknown>[] = [refuse('first'), question(1), refuse('last')];
    await nextTurn();
    expect([asked, refusals]).toEqual([[], []]);
    await answer();
    const message = 'the client of the call does not declare the capability sampling';
    const refusal = [{ ok: false, error: { code: -32601, message } }, [[1, undefined]]];
    expect(refusals).toEqual([refusal, refusal]);
    await finish(...open);
  });

  it('do not wait for those of another call', async () => {
    const { asked, question, answer, trips, start, end, finish } = asking();
    start(2, { ...testCaller('ben', { takesInputRequired: true }), ask: noAnswer });
    const open = [question(1), question(2, 2)];
    expect(trips()).toBe(2);
    await answer();
    expect(asked).toEqual([[1, undefined]]);
    end(2);
    await finish(...open);
  });

  it('are not asked when the server takes them back', async () => {
    const { asked, question, answer, cancel, finish } = asking();
    const open = [question(1), question(2), question(3)];
    cancel('q3');
    await answer();
    expect(asked).toEqual([
      [1, true],
      [2, undefined],
    ]);
    await finish(...open);
  });
});

it('a server of 2026-07-28 may not send requests, except ping', async () => {
  const { start, ask } = connection({ isModern: true });
  start(1, testCaller('ann'));
  expect(await ask('q', 1)).toMatchObject(refused(-32601));
  expect(await ask('p', 1, { method: 'ping', params: {} })).toEqual({ ok: true, result: {} });
});

it('ignores unknown messages', async () => {
  const { messages, at, ask } = connection();
  const notice = { method: 'notifications/tools/list_changed', params: {} };
  expect(messages.onNotification(notice, at(1))).toBe(false);
  const question = { method: 'tasks/get', params: {} };
  expect(await ask('q', undefined, question)).toMatchObject(refused(-32601));
});

it('evicts pages without a completion, the oldest first', async () => {
  const { start, ask, messages, at } = connection();
  const caller = testCaller('ann');
  start(1, caller);
  const page = (elicitationId: string) => ({
    method: 'elicitation/create',
    params: { mode: 'url', url: 'https://example.com', message: 'Open', elicitationId },
  });
  for (let n = 0; n <= 256; n += 1) await ask(n, 1, page(`page ${n}`));
  for (const elicitationId of ['page 0', 'page 1', 'page 1', 'page 256', 'page 999'])
    messages.onNotification(
      { method: 'notifications/elicitation/complete', params: { elicitationId } },
      at('none'),
    );
  const told = caller.notified.map(({ params }) => params['elicitationId']);
  expect(told).toEqual(['page 1', 'page 256']);
});
