import type { CallOutcome } from '@gateway/call-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkflowEngine } from '../../src/index.ts';
import type { EnginePorts } from '../../src/index.ts';
import { errorResult, jsonResult, workflowOf, harnessOf } from '../run-harness.ts';

const rejections: unknown[] = [];
const note = (reason: unknown): unknown => rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});

const workflow = workflowOf({
  steps: [
    { id: 'a', tool: 'x_a', output: true, allowFailure: true },
    { id: 'b', tool: 'x_b', args: { error: '{{ .results.a }}' } },
  ],
});

/** What the second step is told of the first, whose call ends like this. */
const seenOf = async (callTool: EnginePorts['callTool']): Promise<unknown> => {
  let seen: unknown;
  const engine = createWorkflowEngine({
    callTool: (call, context) => {
      if (call.tool === 'x_a') return callTool(call, context);
      seen = call.arguments['error'];
      return Promise.resolve({ ok: true, result: { content: [] } });
    },
    now: () => 0,
    newId: () => 'run',
    warn: () => undefined,
    record: () => undefined,
  });
  await engine.run(workflow, {}, { signal: new AbortController().signal });
  return seen;
};

const failure = (error: string) => ({ error, success: false, isError: true });
const answer =
  (outcome: unknown): EnginePorts['callTool'] =>
  () =>
    Promise.resolve(outcome as CallOutcome);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const TOO_DEEP = failure('the result of x_a is nested more than 500 levels deep');
const nested = JSON.parse(deep(5000)) as unknown;

describe('a port for calls that breaks its promises', () => {
  it.each<[string, EnginePorts['callTool'], unknown]>([
    ['rejects', () => Promise.reject(new Error('socket hang up')), failure('socket hang up')],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is what is tested
    ['rejects with nothing', () => Promise.reject(undefined), failure('the call failed')],
    [
      'throws',
      () => {
        throw new Error('no such thing');
      },
      failure('no such thing'),
    ],
    ['gives no promise', (() => ({ ok: true, result: jsonResult(1) })) as never, 1],
  ])('%s', async (_title, callTool, seen) => {
    expect(await seenOf(callTool)).toEqual(seen);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['without saying how', {}],
    ['a failure without a text', { ok: false }],
  ])('answers %s', async (_title, outcome) => {
    expect(await seenOf(answer(outcome))).toEqual(failure('x_a did not answer'));
  });

  const text = (given: unknown) => ({ content: [{ type: 'text', text: given }] });
  it.each<[string, unknown, unknown]>([
    ['no result', undefined, failure('x_a returned no result')],
    ['a list', [], failure('x_a returned no result')],
    ['an empty result', {}, null],
    ['content that is no list', { content: 'text' }, null],
    ['content of nothing', { content: [undefined] }, [undefined]],
    ['a text that is none', text(5), [{ type: 'text', text: 5 }]],
    ['isError with something else than true', { ...jsonResult(1), isError: 'yes' }, 1],
    ['a failure without content', { isError: true }, failure('x_a failed without a reason')],
    ['a failure of blanks', errorResult(' \n'), failure('x_a failed without a reason')],
    [
      'a failure with an empty text beside what it says',
      { ...errorResult(''), structuredContent: { code: 7 } },
      failure('{"code":7}'),
    ],
    ['JSON that is nested too deeply', text(deep(100_000)), TOO_DEEP],
    ['deep JSON with a large number', text(`[12345678901234567,${deep(100_000)}]`), TOO_DEEP],
    ['deep structured content', { structuredContent: nested }, TOO_DEEP],
  ])('answers %s', async (_title, result, seen) => {
    expect(await seenOf(answer({ ok: true, result }))).toEqual(seen);
  });

  it('answers JSON that is nested as deeply as allowed', async () => {
    const value = JSON.parse(deep(100)) as unknown;
    expect(await seenOf(answer({ ok: true, result: jsonResult(value) }))).toEqual(value);
  });

  it('answers ten megabytes', async () => {
    const text = 'x'.repeat(10_000_000);
    expect(await seenOf(answer({ ok: true, result: { content: [{ type: 'text', text }] } }))).toBe(
      text,
    );
  });
});

it('goes on when the log, the records and the progress of the caller fail', async () => {
  const broken = (): never => {
    throw new Error('broken');
  };
  const late = (() => Promise.reject(new Error('late'))) as () => never;
  for (const fail of [broken, late]) {
    const engine = createWorkflowEngine({
      callTool: () => Promise.resolve({ ok: false, text: 'bad' }),
      now: () => 0,
      newId: () => 'run',
      warn: fail,
      record: fail,
    });
    const spec = { steps: [{ id: 'a', tool: 'x' }], onFailure: [{ id: 'b', tool: 'x' }] };
    const options = { signal: new AbortController().signal, onProgress: fail };
    expect(await engine.run(workflowOf(spec), {}, options)).toMatchObject({ isError: true });
  }
});

it('does not mind a tool that fails after its run was cancelled', async () => {
  let fail: (error: Error) => void = () => undefined;
  const harness = harnessOf({
    tools: { x_late: () => new Promise((_resolve, reject) => (fail = reject)) },
  });
  const caller = new AbortController();
  const running = harness.run(
    workflowOf({ steps: [{ id: 'a', tool: 'x_late' }] }),
    {},
    { signal: caller.signal },
  );
  caller.abort();
  await running;
  fail(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejections).toEqual([]);
});

it.each([null, 'text', [1], 5])('refuses arguments that are no object: %j', async (args) => {
  const harness = harnessOf({});
  const workflow = workflowOf({ steps: [{ id: 'a', tool: 'x' }] });
  const { document, isError } = await harness.run(workflow, args);
  const error = 'input validation failed: arguments must be an object';
  expect(isError).toBe(true);
  if (args !== null) expect(document).toEqual({ execution_id: 'run-1', error });
  expect(harness.records.map(({ status }) => status)).toEqual(['inprogress', 'failed']);
});
