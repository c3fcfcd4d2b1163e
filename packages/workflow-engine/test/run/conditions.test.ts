import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { answering, echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = {
  x_run: echo,
  x_check: answering(({ name }) => ({ name: name ?? 'none', state: 'ready' })),
  x_fail: failing('not there'),
  x_says: answering(() => ({ isError: true })),
};

/** Whether a step with this condition ran, and what was called on the way. */
const tried = async (condition: unknown, input: unknown = {}) => {
  const harness = harnessOf({ tools });
  const workflow = workflowOf({
    steps: [
      { id: 'before', tool: 'x_check' },
      { id: 'says', tool: 'x_says' },
      { id: 'broken', tool: 'x_fail', allowFailure: true },
      { id: 'gated', tool: 'x_run', condition },
    ],
  });
  const { document, isError } = await harness.run(workflow, input);
  const made = harness.calls.slice(3).map(({ tool }) => tool);
  return { ran: made.includes('x_run'), made, step: document.steps[3], isError };
};

const ran = async (condition: unknown, input: unknown = {}): Promise<boolean> =>
  (await tried(condition, input)).ran;

requirement('2.7/condition-gates', () => {
  const subs = [{ id: 's', tool: 'x_run' }];
  it.each([
    ['{{ true }}', { forEach: { items: '{{ .input.list }}', steps: subs } }, 1],
    ['{{ false }}', { forEach: { items: '{{ .input.list }}', steps: subs } }, 0],
    ['{{ true }}', { parallel: subs }, 1],
    ['{{ false }}', { parallel: subs }, 0],
  ])('%s gates %j as a whole', async (template, body, calls) => {
    const harness = harnessOf({ tools });
    const step = { id: 'a', condition: { template }, ...body };
    await harness.run(workflowOf({ steps: [step] }), { list: [1] });
    expect(harness.calls).toHaveLength(calls);
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
});

requirement('2.7/condition-tool', () => {
  it('calls nothing when the arguments of the check cannot be rendered', async () => {
    const args = { name: '{{ .input.name }}' };
    const { made, step } = await tried({ tool: 'x_check', args, expect: { success: true } });
    expect(made).toEqual([]);
    expect(step).toMatchObject({ status: 'failed' });
    expect(step.error).toContain("failed to render arguments for argument 'name'");
  });
  it.each(['x_fail', 'x_ghost'])(
    'takes a call of %s for one that did not succeed',
    async (tool) => {
      expect(await ran({ tool, expect: { success: false } })).toBe(true);
      expect(await ran({ tool, expectNot: { success: true } })).toBe(true);
      expect(await ran({ tool, expect: { success: true } })).toBe(false);
    },
  );
});

requirement('2.7/condition-from-step', () => {
  it.each([
    ['before', { jsonPath: { state: 'gone' } }, false],
    ['broken', { jsonPath: { isError: true } }, true],
    ['broken', { success: true }, false],
    // A result that speaks of an error is no failure.
    ['says', { success: true }, true],
  ])('checks the result of %s: %j is %j', async (fromStep, expectation, passes) => {
    expect(await ran({ fromStep, expect: expectation })).toBe(passes);
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
    const jsonPath = { state: '{{ .input.ghost }}' };
    const { isError, step } = await tried({ fromStep: 'before', expectNot: { jsonPath } });
    expect(isError).toBe(true);
    expect(step.error).toContain('failed to evaluate condition for step gated: ');
  });
});
