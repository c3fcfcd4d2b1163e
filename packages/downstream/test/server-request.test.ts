import { describe, expect, it } from 'vitest';
import { findMissingCapability, toCallerRequest } from '../src/requests/input-rounds.ts';
import { refuseServerRequest } from '../src/requests/server-messages.ts';

const sampling = (params: object) => ({
  method: 'sampling/createMessage',
  params: { messages: [], ...params },
});
const elicitation = (params: object) => ({ method: 'elicitation/create', params: { ...params } });
const roots = { method: 'roots/list', params: {} };

it.each([
  [{}, roots, 'roots'],
  [{ roots: {} }, roots, undefined],
  [{ roots: true }, roots, 'roots'],
  [{}, sampling({}), 'sampling'],
  [{ sampling: {} }, sampling({}), undefined],
  [{ sampling: {} }, sampling({ tools: [] }), 'sampling.tools'],
  [{ sampling: {} }, sampling({ toolChoice: { mode: 'auto' } }), 'sampling.tools'],
  [{ sampling: { tools: {} } }, sampling({ tools: [] }), undefined],
  [{ sampling: {} }, sampling({ includeContext: 'allServers' }), undefined],
  [{}, elicitation({}), 'elicitation'],
  [{ elicitation: {} }, elicitation({}), undefined],
  [{ elicitation: {} }, elicitation({ mode: 'form' }), undefined],
  [{ elicitation: {} }, elicitation({ mode: 'url' }), 'elicitation.url'],
  [{ elicitation: { form: {} } }, elicitation({ mode: 'url' }), 'elicitation.url'],
  [{ elicitation: { url: {} } }, elicitation({ mode: 'url' }), undefined],
  [{ elicitation: { url: {} } }, elicitation({}), 'elicitation.form'],
  [{ elicitation: { form: {}, url: {} } }, elicitation({ mode: 'form' }), undefined],
  [{ elicitation: {} }, elicitation({ mode: 'voice' }), 'elicitation.(unknown mode)'],
  [{ constructor: {} }, { method: 'constructor', params: {} }, 'constructor'],
  [JSON.parse('{"__proto__":{"roots":{}}}') as object, roots, 'roots'],
])('a server request requires of %j for %j: %s', (capabilities, question, missing) => {
  expect(findMissingCapability({ ...capabilities }, question)).toBe(missing);
});

describe('a forwarded server request', () => {
  it('is the server’s, without the token of its own connection', () => {
    const question = elicitation({ message: 'Sure?', odd: [1], _meta: { progressToken: 7, a: 1 } });
    expect(toCallerRequest({ elicitation: {} }, question)).toEqual(
      elicitation({ message: 'Sure?', odd: [1], _meta: { a: 1 } }),
    );
    expect(toCallerRequest({ roots: {} }, { ...roots, params: { _meta: {} } })).toEqual(roots);
  });

  it.each([
    ['allServers', {}, undefined],
    ['thisServer', {}, undefined],
    ['none', {}, 'none'],
    ['allServers', { context: {} }, 'allServers'],
  ])('includes the context %s for a client with sampling %j: %s', (asked, declared, put) => {
    const { params } = toCallerRequest({ sampling: declared }, sampling({ includeContext: asked }));
    expect(params['includeContext']).toBe(put);
  });
});

it('is refused with a text that a server can log', () => {
  const refusals = [
    { code: 'server-request.unknown-method', method: 'tasks/get' },
    { code: 'server-request.not-in-this-revision', method: 'roots/list' },
    { code: 'server-request.no-call' },
    { code: 'server-request.call-ended' },
    { code: 'server-request.several-callers' },
    { code: 'server-request.no-caller' },
    { code: 'server-request.not-declared', needs: 'sampling' },
    { code: 'server-request.not-declared', needs: 'elicitation.url' },
    { code: 'server-request.too-many', bound: 64 },
    { code: 'server-request.no-answer' },
  ] as const;
  expect(
    refusals.map((refusal) => {
      const answer = refuseServerRequest(refusal);
      return answer.ok ? undefined : [answer.error.code, answer.error.message];
    }),
  ).toEqual([
    [-32601, 'Method not found: tasks/get'],
    [
      -32601,
      'Method not found: roots/list (a server of this revision asks with an input_required result)',
    ],
    [-32600, 'no running call can be the cause of this request'],
    [-32600, 'the call of this request has ended'],
    [
      -32600,
      'calls of several clients are running on this connection, so the client of this request is unknown',
    ],
    [-32601, 'the call has no client that can answer requests'],
    [-32601, 'the client of the call does not declare the capability sampling'],
    [-32602, 'the client of the call does not declare the capability elicitation.url'],
    [-32000, 'more than 64 requests are open on this connection'],
    [-32603, 'the client of the call did not answer'],
  ]);
});
