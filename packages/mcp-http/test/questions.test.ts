import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { start, type EndpointOptions } from './endpoint.ts';
import { call, readAnswer, readText, tell, until } from './wire-client.ts';

const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ALL = { sampling: {}, elicitation: {}, roots: {} };

const asking = (count = 1): object =>
  call('ask', { questions: Array.from({ length: count }, () => ELICITATION) });

/** A session of 2025-06-18 whose call has asked a question. */
const startAsking = async (limits: EndpointOptions['limits'] = {}, body = asking()) => {
  const endpoint = await start({ limits });
  const startSession = () => endpoint.startSession({ revision: '2025-06-18', capabilities: ALL });
  const headers = await startSession();
  const reader = await endpoint.readEvents(headers, body);
  const [question] = await reader.atLeast(1);
  const { id } = question;
  const answer = (response: object, others: object = headers) =>
    endpoint.post({ jsonrpc: '2.0', id, ...response }, { ...others });
  const readEnd = async (): Promise<unknown> => {
    await reader.ended();
    return readText(reader.messages().at(-1).result);
  };
  return { ...endpoint, startSession, headers, reader, question, id, answer, readEnd };
};

describe('a question to the client of a session', () => {
  it('is sent on the stream of the call, and the posted response answers it', async () => {
    const { question, answer, readEnd } = await startAsking();
    const id = expect.stringMatching(/^[\w-]{8}:[\w-]{16}$/) as string;
    expect(question).toEqual({ jsonrpc: '2.0', id, ...ELICITATION });
    const result = { action: 'accept', content: { name: 'Ada' } };
    const posted = await answer({ result });
    expect([posted.status, posted.text]).toEqual([202, '']);
    expect(await readEnd()).toEqual([{ ok: true, result }]);
  });

  it('passes the error of the client on', async () => {
    const { answer, readEnd } = await startAsking();
    const error = { code: -1, message: 'User rejected', data: { why: ['x'] } };
    await answer({ error });
    expect(await readEnd()).toEqual([{ ok: false, error }]);
  });

  it('is never answered by another session, nor by a client without one', async () => {
    const { answer, startSession, reader, readEnd } = await startAsking();
    for (const other of [await startSession(), {}])
      expect((await answer({ result: { action: 'accept' } }, other)).status).toBe(202);
    expect(reader.messages()).toHaveLength(1);
    await answer({ result: { action: 'decline' } });
    expect(await readEnd()).toEqual([{ ok: true, result: { action: 'decline' } }]);
  });

  it('ignores responses with any other id', async () => {
    const { id: real, answer, reader } = await startAsking();
    const anyId = fc.oneof(
      fc.integer(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('__proto__', 'constructor', `${String(real)}x`, String(real).toUpperCase()),
      fc.constant('😀'.repeat(100_000)),
    );
    await fc.assert(
      fc.asyncProperty(anyId, async (id) => {
        fc.pre(id !== real);
        expect((await answer({ id, result: {} })).status).toBe(202);
      }),
      { numRuns: 40 },
    );
    expect(reader.messages()).toHaveLength(1);
  });

  it.each([{}, { sampling: {}, elicitation: 7 }])(
    'is not asked of a client that declares %j',
    async (capabilities) => {
      const { post, startSession } = await start();
      const message = 'The client has not declared the capability "elicitation"';
      const answer = readAnswer(await post(asking(), await startSession({ capabilities })));
      expect(answer).toEqual([{ ok: false, error: { code: -32601, message } }]);
    },
  );

  it('is not sent to a client without a session or a stream', async () => {
    const { post, startSession } = await start();
    const session = await startSession({ capabilities: ALL });
    const headers = { ...session, accept: 'application/json' };
    const refused = (message: string) => [{ ok: false, error: { code: -32601, message } }];
    const noSession = refused('A client without a session cannot be asked');
    expect(readAnswer(await post(asking()))).toEqual(noSession);
    const noStream = refused('The client reads no event stream');
    expect(readAnswer(await post(asking(), headers))).toEqual(noStream);
    expect(readAnswer(await post(call('capabilities'), headers))).toEqual({});
  });

  it('fails when too many wait already', async () => {
    const limits = { maxQuestionsPerSession: 2 };
    const { answer, reader, readEnd } = await startAsking(limits, asking(3));
    for (const { id } of await reader.atLeast(2)) await answer({ id, result: {} });
    const message = 'Too many questions to this client: the limit of 2 is reached';
    const answered = { ok: true, result: {} };
    const refused = { ok: false, error: { code: -32000, message } };
    expect(await readEnd()).toEqual([answered, answered, refused]);
  });

  it('is withdrawn when the client exceeds the time limit', async () => {
    const { id, reader, readEnd } = await startAsking({ questionTimeoutMs: 30 });
    const message = 'The client has not answered within 30 ms';
    expect(await readEnd()).toEqual([{ ok: false, error: { code: -32001, message } }]);
    const params = { requestId: id, reason: message };
    expect(reader.messages()[1]).toEqual(tell('notifications/cancelled', params));
  });

  it('is withdrawn with its call', async () => {
    const body = call('ask-and-leave', { questions: [ELICITATION] });
    const { id, reader, readEnd } = await startAsking({}, body);
    expect(await readEnd()).toBe('left');
    const withdrawn = { method: 'notifications/cancelled', params: { requestId: id } };
    expect(reader.messages()[1]).toMatchObject(withdrawn);
  });

  it.each(['cancels the call', 'ends the session'])(
    'is withdrawn when the client %s',
    async (how) => {
      const { headers, reader, post, send, stats } = await startAsking();
      const cancel = tell('notifications/cancelled', { requestId: 1 });
      if (how === 'cancels the call') await post(cancel, headers);
      else await send({ method: 'DELETE', headers });
      await reader.ended();
      const methods = reader.messages().map(({ method }) => method as string);
      expect(methods).toEqual(['elicitation/create', 'notifications/cancelled']);
      await until(() => stats().inFlight === 0);
    },
  );
});
