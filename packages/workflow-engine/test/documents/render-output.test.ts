import { describe, expect, it } from 'vitest';
import { createFullAllowance } from '@gateway/go-template';
import { toRenderedOutput } from '../../src/engine/create-workflow-engine.ts';
import { renderValues } from '../../src/isolation/isolated-work.ts';
import type { TemplateData } from '../../src/model/finished-run.ts';
import { requirement } from '../requirement.ts';
import { answering, failing, workflowOf, harnessOf } from '../run-harness.ts';

const results = {
  list: { items: [{ name: 'a' }, { name: 'b' }], total: 2, none: null, open: true, text: '08' },
};

const data: TemplateData = {
  input: { repo: 'gateway', limit: 5 },
  results,
  vars: { item: 'last' },
  context: results,
};
const limits = { maxBytes: 1000, now: () => 0 };

const reportOutput = (output: unknown): unknown => {
  const workflow = workflowOf({ steps: [{ id: 'list', tool: 'x' }], output });
  const options = { ...limits, allowance: createFullAllowance(limits) };
  const answer = toRenderedOutput(renderValues([workflow.spec.output!.parsed], data, options));
  return answer.ok ? answer.value : answer.error;
};

/** Output templates and what they are rendered to. */
const rendersEach =
  (cases: readonly (readonly [output: unknown, rendered: unknown])[]) => (): void => {
    it.each(cases)('renders %j to %j', (output, rendered) => {
      expect(reportOutput({ v: output })).toEqual({ v: rendered });
    });
  };

requirement('2.7/output-template', () => {
  rendersEach([
    ['{{ .input.repo }}', 'gateway'],
    ['{{ .vars.item }}', 'last'],
    ['{{ .context.list.total }}', 2],
    [{ a: [1.5] }, { a: [1.5] }],
    [
      { '{{ .input.repo }}': { deep: ['{{ .input.limit }}', 7, null, true, 'plain', {}] } },
      { '{{ .input.repo }}': { deep: [5, 7, null, true, 'plain', {}] } },
    ],
  ])();
});

requirement('2.7/output-template', () => {
  const spec = {
    steps: [
      { id: 'first', tool: 'x_count' },
      { id: 'last', tool: 'x_count' },
    ],
    output: { both: ['{{ .results.first.n }}', '{{ .results.last.n }}'] },
  };
  const counting = (failsAt: number) => {
    let n = 0;
    return harnessOf({
      tools: {
        x_count: (call, context) =>
          ((n += 1) === failsAt ? failing('no') : answering(() => ({ n })))(call, context),
      },
    });
  };

  it('is rendered after the last step', async () => {
    const { document } = await counting(9).run(workflowOf(spec));
    expect(document).toEqual({ both: [1, 2], execution_id: 'run-1' });
  });

  it('is not rendered when a step fails', async () => {
    const { document, isError } = await counting(2).run(workflowOf(spec));
    expect([isError, document.status, document.error]).toEqual([
      true,
      'failed',
      'step last failed: no',
    ]);
    expect(document).not.toHaveProperty('both');
  });
});

const types = rendersEach([
  ['{{ .results.list.items }}', [{ name: 'a' }, { name: 'b' }]],
  ['{{ .results.list }}', results.list],
  ['{{ .results.list.total }}', 2],
  ['{{ .results.list.none }}', null],
  ['{{ .results.list.open }}', true],
  ['{{ .results.list.text }}', '08'],
]);
const leaves = rendersEach([
  ['{{ len .results.list.items }}', 2],
  ['{{ gt (len .results.list.items) 1 }}', true],
  ['{{ (index .results.list.items 1).name }}', 'b'],
  ['{{ print "42" }}', '42'],
  ['{{ print "true" }}', 'true'],
  ['{{ print "NaN" }}', 'NaN'],
]);
const mixed = rendersEach([
  ['{{ .results.list.total }} items', '2 items'],
  ['{{ .input.limit }}{{ .results.list.total }}', '52'],
  [' {{ .input.limit }}', ' 5'],
  ['{{ .input.limit }}', 5],
  ['{{ .results.list.open }}!', 'true!'],
]);
requirement('2.7/output-bare-reference', types);
requirement('2.7/output-computed-leaf', leaves);
requirement('2.7/output-mixed-leaf', mixed);
requirement('9.3/output-types', () => {
  types();
  mixed();
});

describe('an output template that cannot be rendered', () => {
  it('names the place and the missing key', () => {
    const error = reportOutput({ ok: 1, total: '{{ .results.list.totl }}' });
    expect(error).toMatch(/^failed to render output template: output\.total: .*"totl"/);
    expect(error).toContain('total');
  });

  it('names places inside', () => {
    expect(reportOutput({ a: { b: [1, '{{ .input.nope }}'] } })).toMatch(
      /^failed to render output template: output\.a\.b\[1\]: /,
    );
  });

  it('is one that grows beyond the bound, in one part or in all together', () => {
    const large = '{{ repeat 60 "0123456789" }}';
    expect(reportOutput({ a: large })).toHaveProperty('a');
    expect(reportOutput({ a: large, b: large })).toMatch(
      /^failed to render output template: output\.b: /,
    );
  });
});
