import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readEvents, type EventReader } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { call, post, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ALL = { sampling: {}, elicitation: {}, roots: {} };

const sessionOf = async (
  endpoint: InteractiveEndpoint,
  capabilities: object = ALL,
): Promise<Readonly<Record<string, string>>> => {
  const params = { protocolVersion: '2025-11-25', capabilities };
  const answer = await post(endpoint.url, rpc('initialize', params));
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
};

const asking = (count = 1): object =>
  call('ask', { questions: Array.from({ length: count }, () => ELICITATION) });

const answersOf = (reader: EventReader): unknown =>
  JSON.parse(reader.messages().at(-1).result.content[0].text);

describe('a question to the client of a session', () => {
  it('is sent on the stream of the call, and the posted response answers it', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking() });
    const [question] = await reader.atLeast(1);
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.stringMatching(/^[\w-]{8}:[\w-]{16}$/) as string,
      method: 'elicitation/create',
      params: { message: 'Your name?' },
    });
    const result = { action: 'accept', content: { name: 'Ada' } };
    const posted = await post(endpoint.url, { jsonrpc: '2.0', id: question.id, result }, headers);
    expect([posted.status, posted.text]).toEqual([202, '']);
    await reader.ended();
    expect(answersOf(reader)).toEqual([{ ok: true, result }]);
  });

  it('passes the error of the client on', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking() });
    const [{ id }] = await reader.atLeast(1);
    const error = { code: -1, message: 'User rejected', data: { why: ['x'] } };
    await post(endpoint.url, { jsonrpc: '2.0', id, error }, headers);
    await reader.ended();
    expect(answersOf(reader)).toEqual([{ ok: false, error }]);
  });

  it('is never answered by another session, nor by a client without one', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking() });
    const [{ id }] = await reader.atLeast(1);
    const forged = { jsonrpc: '2.0', id, result: { action: 'accept' } };
    for (const other of [await sessionOf(endpoint), {}]) {
      expect((await post(endpoint.url, forged, other)).status).toBe(202);
    }
    expect(reader.messages()).toHaveLength(1);
    await post(endpoint.url, { jsonrpc: '2.0', id, result: { action: 'decline' } }, headers);
    await reader.ended();
    expect(answersOf(reader)).toEqual([{ ok: true, result: { action: 'decline' } }]);
  });

  it('ignores responses with any other id', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking() });
    const [{ id: real }] = await reader.atLeast(1);
    const anyId = fc.oneof(
      fc.integer(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('__proto__', 'constructor', `${String(real)}x`, String(real).toUpperCase()),
      fc.constant('😀'.repeat(100_000)),
    );
    await fc.assert(
      fc.asyncProperty(anyId, async (id) => {
        fc.pre(id !== real);
        const { status } = await post(endpoint.url, { jsonrpc: '2.0', id, result: {} }, headers);
        expect(status).toBe(202);
      }),
      { numRuns: 40 },
    );
    expect(reader.messages()).toHaveLength(1);
    reader.cut();
  });

  it.each([
    [{}, 'The client has not declared the capability "elicitation"'],
    [{ sampling: {}, elicitation: 7 }, 'The client has not declared the capability "elicitation"'],
  ])('is not asked of a client that declares %j', async (capabilities, message) => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint, capabilities);
    const answer = await post(endpoint.url, asking(), headers);
    expect(JSON.parse(answer.json.result.content[0].text)).toEqual([
      { ok: false, error: { code: -32601, message } },
    ]);
  });

  it('is not sent to a client without a session or a stream', async () => {
    const endpoint = await start();
    const without = await post(endpoint.url, asking());
    const headers = { ...(await sessionOf(endpoint)), accept: 'application/json' };
    const plain = await post(endpoint.url, asking(), headers);
    const texts = [without, plain].map(({ json }) => String(json.result.content[0].text));
    expect(texts).toEqual([
      '[{"ok":false,"error":{"code":-32601,"message":"A client without a session cannot be asked"}}]',
      '[{"ok":false,"error":{"code":-32601,"message":"The client reads no event stream"}}]',
    ]);
    const declared = await post(endpoint.url, call('capabilities'), headers);
    expect(declared.json.result.content[0].text).toBe('{}');
  });

  it('fails when too many wait already', async () => {
    const endpoint = await start({ limits: { maxQuestionsPerSession: 2 } });
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking(3) });
    const questions = await reader.atLeast(2);
    for (const { id } of questions) {
      await post(endpoint.url, { jsonrpc: '2.0', id, result: {} }, headers);
    }
    await reader.ended();
    expect(answersOf(reader)).toEqual([
      { ok: true, result: {} },
      { ok: true, result: {} },
      {
        ok: false,
        error: {
          code: -32000,
          message: 'Too many questions to this client: the limit of 2 is reached',
        },
      },
    ]);
  });

  it('is withdrawn when the client exceeds the time limit', async () => {
    const endpoint = await start({ limits: { questionTimeoutMs: 30 } });
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers, body: asking() });
    await reader.ended();
    const [question, cancelled] = reader.messages();
    const message = 'The client has not answered within 30 ms';
    expect(cancelled).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: question.id, reason: message },
    });
    expect(answersOf(reader)).toEqual([{ ok: false, error: { code: -32001, message } }]);
  });

  it('is withdrawn with its call', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const body = call('ask-and-leave', { questions: [ELICITATION] });
    const reader = await readEvents(endpoint.url, { headers, body });
    await reader.ended();
    const [question, cancelled, result] = reader.messages();
    expect([cancelled.method, cancelled.params.requestId]).toEqual([
      'notifications/cancelled',
      question.id,
    ]);
    expect(result.result.content[0].text).toBe('"left"');
  });

  it('is withdrawn when the client cancels the call or ends the session', async () => {
    const endpoint = await start();
    for (const how of ['cancel', 'end'] as const) {
      const headers = await sessionOf(endpoint);
      const reader = await readEvents(endpoint.url, { headers, body: asking() });
      await reader.atLeast(1);
      const params = { requestId: 1 };
      if (how === 'end') await send(endpoint.url, { method: 'DELETE', headers });
      else
        await post(
          endpoint.url,
          { jsonrpc: '2.0', method: 'notifications/cancelled', params },
          headers,
        );
      await reader.ended();
      expect(reader.messages().map(({ method }) => method as string)).toEqual([
        'elicitation/create',
        'notifications/cancelled',
      ]);
      await until(() => endpoint.mcp.stats().inFlight === 0);
    }
  });
});
