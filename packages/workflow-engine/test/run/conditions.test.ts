import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { answering, echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = {
  x_run: echo,
  x_check: answering(({ name }) => ({ name: name ?? 'none', state: 'ready' })),
  x_fail: failing('not there'),
};

/** Whether a step with this condition ran, and what was called on the way. */
const tried = async (condition: unknown, input: unknown = {}) => {
  const harness = harnessOf({ tools });
  const workflow = workflowOf({
    steps: [
      { id: 'before', tool: 'x_check' },
      { id: 'broken', tool: 'x_fail', allowFailure: true },
      { id: 'gated', tool: 'x_run', condition },
    ],
  });
  const { document, isError } = await harness.run(workflow, input);
  const made = harness.calls.slice(2).map(({ tool }) => tool);
  return { ran: made.includes('x_run'), made, step: document.steps[2], isError };
};

const ran = async (condition: unknown, input: unknown = {}): Promise<boolean> =>
  (await tried(condition, input)).ran;

requirement('2.7/condition-gates', () => {
  it('lets the step run when it holds', async () => {
    expect(await tried({ template: '{{ true }}' })).toMatchObject({
      ran: true,
      step: { status: 'completed', condition_evaluation: true },
    });
  });
  it('skips the step when it does not hold, which is no failure', async () => {
    expect(await tried({ template: '{{ false }}' })).toMatchObject({
      ran: false,
      isError: false,
      step: { status: 'skipped', condition_evaluation: false },
    });
  });
  it('leaves nothing of a skipped step to refer to', async () => {
    const harness = harnessOf({ tools });
    const workflow = workflowOf({
      steps: [
        { id: 'a', tool: 'x_run', condition: { template: '{{ false }}' } },
        { id: 'b', tool: 'x_run', args: { v: '{{ .results.a }}' } },
      ],
    });
    expect((await harness.run(workflow)).document.error).toContain('.results.a');
  });
  it('gates a loop and a group as a whole', async () => {
    for (const body of [
      { forEach: { items: '{{ .input.list }}', steps: [{ id: 's', tool: 'x_run' }] } },
      { parallel: [{ id: 's', tool: 'x_run' }] },
    ]) {
      for (const [template, calls] of [
        ['{{ true }}', 1],
        ['{{ false }}', 0],
      ] as const) {
        const harness = harnessOf({ tools });
        const step = { id: 'a', condition: { template }, ...body };
        await harness.run(workflowOf({ steps: [step] }), { list: [1] });
        expect(harness.calls).toHaveLength(calls);
      }
    }
  });
});

requirement('2.7/condition-template', () => {
  it.each([
    ['{{ true }}', true],
    ['{{ eq .input.env "prod" }}', true],
    ['{{ .input.yes }}', true],
    ['true', true],
    ['{{ "true" }}', true],
    ['{{ if eq .input.env "prod" }}true{{ end }}', true],
    ['{{ false }}', false],
    ['{{ eq .input.env "dev" }}', false],
    ['{{ 1 }}', false],
    ['{{ .input.env }}', false],
    ['True', false],
    ['true ', false],
    [' {{ true }}', false],
    ['{{ if eq .input.env "dev" }}true{{ end }}', false],
  ])('%j: %j', async (template, expected) => {
    expect(await ran({ template }, { env: 'prod', yes: true })).toBe(expected);
  });
  it('fails the step when it cannot be rendered', async () => {
    const { ran: did, step, isError } = await tried({ template: '{{ .input.ghost }}' });
    expect({ did, isError }).toEqual({ did: false, isError: true });
    expect(step.error).toContain('failed to evaluate condition template for step gated: ');
    expect(step.error).toContain('ghost');
  });
});

requirement('2.7/condition-template-alone', () => {
  it('does not look at expect or expectNot', async () => {
    const never = { expect: { success: false }, expectNot: { success: true } };
    expect(await ran({ template: '{{ true }}', ...never })).toBe(true);
    const always = { expect: { success: true }, expectNot: { success: false } };
    expect(await ran({ template: '{{ false }}', ...always })).toBe(false);
  });
});

requirement('2.7/condition-tool', () => {
  const condition = { tool: 'x_check', args: { name: '{{ .input.name }}' } };
  it('runs the tool with its arguments, then the step', async () => {
    const { made, step } = await tried(
      { ...condition, expect: { jsonPath: { name: 'web' } } },
      { name: 'web' },
    );
    expect(made).toEqual(['x_check', 'x_run']);
    expect(step).toMatchObject({
      condition_tool: 'x_check',
      condition_result: { name: 'web', state: 'ready' },
      condition_evaluation: true,
    });
  });
  it('runs the tool only, when its result is another', async () => {
    const { made, step } = await tried(
      { ...condition, expect: { jsonPath: { name: 'web' } } },
      { name: 'db' },
    );
    expect(made).toEqual(['x_check']);
    expect(step).toMatchObject({ status: 'skipped', condition_result: { name: 'db' } });
  });
  it('calls nothing when the arguments of the check cannot be made', async () => {
    const { made, step } = await tried({ ...condition, expect: { success: true } });
    expect(made).toEqual([]);
    expect(step).toMatchObject({ status: 'failed' });
    expect(step.error).toContain("failed to render arguments for argument 'name'");
  });
  it('leaves no result of the check', async () => {
    const harness = harnessOf({ tools });
    const condition_ = { tool: 'x_check', expect: { success: true } };
    const steps = [{ id: 'a', tool: 'x_run', args: { v: 1 }, condition: condition_, output: true }];
    expect((await harness.run(workflowOf({ steps }))).document.steps[0].result).toEqual({ v: 1 });
  });
  it('takes a call that fails, or cannot be made, for one that did not succeed', async () => {
    for (const tool of ['x_fail', 'x_ghost']) {
      expect(await ran({ tool, expect: { success: false } })).toBe(true);
      expect(await ran({ tool, expectNot: { success: true } })).toBe(true);
      expect(await ran({ tool, expect: { success: true } })).toBe(false);
    }
  });
});

requirement('2.7/condition-from-step', () => {
  it('checks the result of that step, without calling anything', async () => {
    const { made, step } = await tried({
      fromStep: 'before',
      expect: { jsonPath: { state: 'ready' } },
    });
    expect(made).toEqual(['x_run']);
    expect(step).toMatchObject({
      condition_tool: 'from_step:before',
      condition_result: { name: 'none', state: 'ready' },
    });
  });
  it('skips when the result is another', async () => {
    expect(await ran({ fromStep: 'before', expect: { jsonPath: { state: 'gone' } } })).toBe(false);
  });
  it('sees a tolerated failure', async () => {
    expect(await ran({ fromStep: 'broken', expect: { success: false } })).toBe(true);
    expect(await ran({ fromStep: 'broken', expect: { jsonPath: { isError: true } } })).toBe(true);
    expect(await ran({ fromStep: 'broken', expect: { success: true } })).toBe(false);
  });
  it('does not take a result that speaks of an error for a failure', async () => {
    const harness = harnessOf({
      tools: { ...tools, x_says: answering(() => ({ isError: true })) },
    });
    const workflow = workflowOf({
      steps: [
        { id: 'says', tool: 'x_says' },
        { id: 'a', tool: 'x_run', condition: { fromStep: 'says', expect: { success: true } } },
      ],
    });
    await harness.run(workflow);
    expect(harness.calls.map(({ tool }) => tool)).toEqual(['x_says', 'x_run']);
  });
  it.each(['ghost', 'gated', 'later'])('fails when step %s has not run', async (fromStep) => {
    const { isError, step } = await tried({ fromStep, expect: { success: true } });
    expect(isError).toBe(true);
    expect(step.error).toBe(
      `step gated condition references non-existent step result: ${fromStep}`,
    );
  });
});

describe('an expectation that cannot be rendered', () => {
  it('fails the step instead of deciding', async () => {
    const { isError, step } = await tried({
      fromStep: 'before',
      expectNot: { jsonPath: { state: '{{ .input.ghost }}' } },
    });
    expect(isError).toBe(true);
    expect(step.error).toContain('failed to evaluate condition for step gated: ');
  });
});
