import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { formatCancellation } from '../../src/run/cancellation.ts';
import {
  answering,
  echo,
  workflowOf,
  harnessOf,
  type HarnessOptions,
  type Tool,
} from '../run-harness.ts';

/** A tool that never answers, and tells when it was called and when its signal was aborted. */
const stuck = () => {
  const seen = { calls: 0, aborted: 0 };
  const tool: Tool = (_call, { signal }) => {
    seen.calls += 1;
    signal.addEventListener('abort', () => (seen.aborted += 1));
    return new Promise(() => undefined);
  };
  return { seen, tool };
};

/** A run of a workflow whose tool `x_stuck` is waiting. */
const waiting = async (spec: object, options: HarnessOptions = {}, input: object = {}) => {
  const { seen, tool } = stuck();
  const tools = { x_stuck: tool, x_echo: echo };
  const harness = harnessOf({ tools, ...options });
  const caller = new AbortController();
  const running = harness.run(workflowOf(spec), input, { signal: caller.signal });
  await expect.poll(() => seen.calls).toBe(1);
  const cancel = () => {
    caller.abort();
    return running;
  };
  return { seen, harness, signal: caller.signal, cancel };
};

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('a run that is cancelled', () => {
  it('ends at once, though the tool ignores its signal, and calls nothing more', async () => {
    const { seen, harness, signal, cancel } = await waiting({
      steps: [
        { id: 'first', tool: 'x_echo', args: { v: 1 }, output: true },
        { id: 'wait', tool: 'x_stuck', allowFailure: true },
        { id: 'never', tool: 'x_echo' },
      ],
    });
    expect(listeners(signal)).toBe(1);
    const { document, isError } = await cancel();
    const wait = { id: 'wait', tool: 'x_stuck', status: 'failed', allow_failure: true };
    expect({ document, isError }).toEqual({
      isError: true,
      document: {
        execution_id: 'run-1',
        workflow: 'demo',
        status: 'failed',
        input: {},
        steps: [
          { id: 'first', tool: 'x_echo', status: 'completed', result: { v: 1 } },
          { ...wait, error: 'cancelled' },
        ],
        template_vars: [],
        error: 'step wait failed: cancelled',
      },
    });
    expect(harness.calls.map(({ tool: name }) => name)).toEqual(['x_echo', 'x_stuck']);
    expect(seen.aborted).toBe(1);
    expect(listeners(signal)).toBe(0);
    expect(harness.records.map(({ status }) => status)).toEqual(['inprogress', 'failed']);
  });

  it.each([{}, { condition: { template: '{{ false }}' } }])(
    'runs nothing when it was cancelled before: %j',
    async (more) => {
      const harness = harnessOf({ tools: { x_echo: echo } });
      const workflow = workflowOf({ steps: [{ id: 'a', tool: 'x_echo', ...more }] });
      const ran = await harness.run(workflow, {}, { signal: AbortSignal.abort() });
      expect(ran).toMatchObject({
        isError: true,
        document: { error: 'step a failed: cancelled', steps: [] },
      });
      expect(harness.calls).toEqual([]);
    },
  );

  it('goes no further when its tool ends in the same moment', async () => {
    const caller = new AbortController();
    const last = answering(() => {
      caller.abort();
      return 1;
    });
    const harness = harnessOf({ tools: { x_last: last } });
    const steps = [
      { id: 'a', tool: 'x_last', output: true },
      { id: 'b', tool: 'x_last' },
    ];
    const workflow = workflowOf({ steps });
    const { document } = await harness.run(workflow, {}, { signal: caller.signal });
    expect(document.error).toBe('step a failed: cancelled');
    expect(harness.calls).toHaveLength(1);
  });

  const loop = [{ id: 'p', tool: 'x_stuck', allowFailure: true }];
  it.each([
    {
      id: 'a',
      parallel: [
        { id: 'p', tool: 'x_stuck' },
        { id: 'q', tool: 'x_echo' },
      ],
    },
    { id: 'a', forEach: { items: '{{ .input.list }}', steps: loop } },
    { id: 'p', tool: 'x_echo', condition: { tool: 'x_stuck', expect: { success: false } } },
    { id: 'p', tool: 'x_echo', condition: { tool: 'x_stuck', expect: { success: true } } },
  ])('ends a group, a loop and the tool of a condition at once: %j', async (step) => {
    const steps = [
      { ...step, allowFailure: true },
      { id: 'never', tool: 'x_never' },
    ];
    const { seen, harness, cancel } = await waiting({ steps }, {}, { list: [1, 2] });
    expect((await cancel()).document.error).toBe('step p failed: cancelled');
    expect(harness.calls.map(({ tool: name }) => name)).not.toContain('x_never');
    expect(seen).toEqual({ calls: 1, aborted: 1 });
  });

  it('reaches the workflows inside', async () => {
    const inner = workflowOf({ steps: [{ id: 'deep', tool: 'x_stuck' }] }, 'inner');
    const steps = [{ id: 'call', tool: 'workflow_inner' }];
    const { harness, cancel } = await waiting({ steps }, { workflows: { inner } });
    expect((await cancel()).document.error).toBe('step call failed: cancelled');
    await expect.poll(() => harness.records.length).toBe(4);
    expect(harness.records.map((record) => `${record.execution_id} ${record.status}`)).toEqual([
      'run-1 inprogress',
      'run-2 inprogress',
      'run-1 failed',
      'run-2 failed',
    ]);
  });

  it('still cleans up, with a signal that is not aborted', async () => {
    const args = { why: '{{ .results.wait.error }}' };
    const onFailure = [{ id: 'clean', tool: 'x_echo', args, output: true }];
    const { harness, cancel } = await waiting({
      steps: [{ id: 'wait', tool: 'x_stuck' }],
      onFailure,
    });
    const { document } = await cancel();
    expect(document.steps[1]).toMatchObject({ status: 'completed', result: { why: 'cancelled' } });
    expect(harness.contexts.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('gives all handlers together a bounded time', async () => {
    const onFailure = [
      { id: 'one', tool: 'x_echo' },
      { id: 'two', tool: 'x_stuck' },
      { id: 'three', tool: 'x_echo' },
    ];
    const spec = { steps: [{ id: 'wait', tool: 'x_stuck' }], onFailure };
    const { harness, cancel } = await waiting(spec, { limits: { cleanupMs: 20 } });
    const { document } = await cancel();
    expect(document.error).toBe('step wait failed: cancelled');
    expect(
      document.steps.slice(1).map(({ status, error }: Record<string, string>) => [status, error]),
    ).toEqual([
      ['completed', undefined],
      ['failed', 'timed out'],
      ['failed', 'timed out'],
    ]);
    expect(harness.calls.map(({ tool: name }) => name)).toEqual(['x_stuck', 'x_echo', 'x_stuck']);
  });

  it('bounds the handlers too when it is cancelled while they run', async () => {
    const onFailure = [{ id: 'clean', tool: 'x_stuck' }];
    const spec = { steps: [{ id: 'bad', tool: 'x_none' }], onFailure };
    const { seen, cancel } = await waiting(spec, { limits: { cleanupMs: 20 } });
    expect(seen.aborted).toBe(0);
    const { document } = await cancel();
    expect(document.error).toBe('step bad failed: Tool not found: x_none');
    expect(document.steps[1].error).toBe('timed out');
  });
});

it('gives each call a signal of its own, so that what tools leave on them never adds up', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const careless: Tool = async (_call, { signal }) => {
    signal.addEventListener('abort', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    return { ok: true, result: {} };
  };
  const harness = harnessOf({ tools: { x_careless: careless } });
  const parallel = Array.from({ length: 32 }, (_, at) => ({ id: `p${at}`, tool: 'x_careless' }));
  await harness.run(workflowOf({ steps: [{ id: 'a', parallel }] }));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
  expect(new Set(harness.contexts.map(({ signal }) => signal)).size).toBe(32);
});

it('leaves nothing on the signal of a caller whose run went well', async () => {
  const caller = new AbortController();
  const harness = harnessOf({ tools: { x_echo: echo } });
  const parallel = Array.from({ length: 64 }, (_, index) => ({ id: `p${index}`, tool: 'x_echo' }));
  await harness.run(workflowOf({ steps: [{ id: 'a', parallel }] }), {}, { signal: caller.signal });
  expect(listeners(caller.signal)).toBe(0);
});

it('hands every call the time that it may take, the chain and the caller', async () => {
  const harness = harnessOf({ tools: { x_echo: echo }, limits: { toolTimeoutMs: 1234 } });
  const caller = { session: 'one' };
  const workflow = workflowOf({ steps: [{ id: 'a', tool: 'x_echo' }] });
  await harness.run(workflow, {}, { caller, chain: ['outer'] });
  const [{ timeoutMs, chain, caller: seen }] = harness.contexts as [(typeof harness.contexts)[0]];
  expect({ timeoutMs, chain }).toEqual({ timeoutMs: 1234, chain: ['outer', 'demo'] });
  expect(seen).toBe(caller);
});

it.each([
  [new DOMException('The operation timed out', 'TimeoutError'), 'timed out'],
  [new DOMException('This operation was aborted', 'AbortError'), 'cancelled'],
  [
    new DOMException('The caller has disconnected', 'AbortError'),
    'cancelled: The caller has disconnected',
  ],
  [new Error(`two\nlines ${'x'.repeat(300)}`), `cancelled: two lines ${'x'.repeat(190)}`],
  [undefined, 'cancelled'],
  ['a text', 'cancelled'],
])('says why a run ended before its time: %s', (reason, text) => {
  expect(formatCancellation(reason)).toBe(text);
});
