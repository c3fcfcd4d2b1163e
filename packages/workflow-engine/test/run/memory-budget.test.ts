import { describe, expect, it } from 'vitest';
import { answering, echo, errorResult, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const KIB = 1024;
const large: Tool = answering(() => 'x'.repeat(100 * KIB));
const limits = { maxRunBytes: 450 * KIB };
const TOO_MUCH =
  'the run holds more than the 460800 bytes of arguments and results allowed (maxRunBytes)';

const loopOf = (step: object) => ({
  args: { items: { type: 'array' } },
  steps: [
    {
      id: 'all',
      allowFailure: true,
      forEach: { items: '{{ .input.items }}', steps: [{ id: 'one', allowFailure: true, ...step }] },
    },
    { id: 'after', tool: 'x_echo' },
  ],
  onFailure: [{ id: 'clean', tool: 'x_large' }],
});

const ran = async (step: object, count: number, bounds = limits) => {
  const tools = { x_large: large, x_echo: echo, x_fail: () => createFailedReport };
  const harness = harnessOf({ tools, limits: bounds });
  const items = Array.from({ length: count }, (_unused, index) => index);
  return harness.run(workflowOf(loopOf(step)), { items });
};

const createFailedReport = { ok: true, result: errorResult('e'.repeat(100 * KIB)) } as const;
const text = '{{ printf "%102400d" 1 }}';

describe('a run that would hold too much', () => {
  it.each([
    ['results', { tool: 'x_large' }],
    ['errors', { tool: 'x_fail' }],
    ['arguments that templates make', { tool: 'x_echo', args: { v: text } }],
    ['arguments of text and actions', { tool: 'x_echo', args: { v: `a${text}` } }],
    ['what conditions render', { tool: 'x_echo', condition: { template: text } }],
    [
      'what tools of conditions answer',
      { tool: 'x_echo', condition: { tool: 'x_large', expect: { success: false } } },
    ],
  ])('ends with %s, whatever its steps tolerate', async (_what, step) => {
    const { document, isError } = await ran(step, 20);
    expect(isError).toBe(true);
    expect(document.error).toBe(`step one failed: ${TOO_MUCH}`);
    expect(document.steps.length).toBeLessThanOrEqual(6);
    expect(document.steps.at(-1)).toMatchObject({ id: 'clean', status: 'completed' });
    expect((await ran(step, 2)).isError).toBe(false);
    expect((await ran(step, 20, { maxRunBytes: 45 * KIB * KIB })).isError).toBe(false);
  });

  it('ends with the entries of its journal alone', async () => {
    const { document } = await ran({ tool: 'x_echo', condition: { template: 'no' } }, 1000);
    expect(document.error).toBe(`step one failed: ${TOO_MUCH}`);
  });

  it('ends with the results of a group', async () => {
    const harness = harnessOf({ tools: { x_large: large, x_echo: echo }, limits });
    const parallel = Array.from({ length: 6 }, (_unused, index) => ({
      id: `p${index}`,
      tool: 'x_large',
    }));
    const steps = [{ id: 'group', allowFailure: true, parallel }];
    const { document } = await harness.run(workflowOf({ steps }));
    expect(document.error).toBe(`step p4 failed: ${TOO_MUCH}`);
  });
});

describe('a run that hands on what it holds', () => {
  it('holds it once', async () => {
    const harness = harnessOf({ tools: { x_large: large, x_small: answering(() => 1) }, limits });
    const body = [{ id: 'one', tool: 'x_small', args: { v: '{{ .results.big }}' } }];
    const steps = [
      { id: 'big', tool: 'x_large' },
      { id: 'all', forEach: { items: '{{ until 100 }}', steps: body } },
    ];
    const { isError } = await harness.run(workflowOf({ steps }));
    expect(isError).toBe(false);
    expect(harness.calls).toHaveLength(101);
  });
});
