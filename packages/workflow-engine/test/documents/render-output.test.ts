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

requirement('2.7/output-template', () => {
  it('is rendered against .input, .results, .vars and .context', () => {
    const output = {
      repo: '{{ .input.repo }}',
      total: '{{ .results.list.total }}',
      item: '{{ .vars.item }}',
      again: '{{ .context.list.total }}',
    };
    expect(reportOutput(output)).toEqual({ repo: 'gateway', total: 2, item: 'last', again: 2 });
  });

  it('is rendered at every depth; keys and what is no template stay as they are', () => {
    const output = {
      '{{ .input.repo }}': { deep: ['{{ .input.limit }}', 7, null, true, 'plain', {}] },
      fixed: { a: [1.5] },
    };
    expect(reportOutput(output)).toEqual({
      '{{ .input.repo }}': { deep: [5, 7, null, true, 'plain', {}] },
      fixed: { a: [1.5] },
    });
  });
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

requirement('2.7/output-bare-reference', () => {
  it('an array stays an array, an object an object', () => {
    expect(
      reportOutput({ items: '{{ .results.list.items }}', all: '{{ .results.list }}' }),
    ).toEqual({
      items: [{ name: 'a' }, { name: 'b' }],
      all: results.list,
    });
  });

  it('null, flags and texts stay what they are', () => {
    const output = {
      none: '{{ .results.list.none }}',
      open: '{{ .results.list.open }}',
      text: '{{ .results.list.text }}',
    };
    expect(reportOutput(output)).toEqual({ none: null, open: true, text: '08' });
  });
});

requirement('2.7/output-computed-leaf', () => {
  it('a length is a number, a comparison a flag', () => {
    const output = {
      count: '{{ len .results.list.items }}',
      many: '{{ gt (len .results.list.items) 1 }}',
      name: '{{ (index .results.list.items 1).name }}',
    };
    expect(reportOutput(output)).toEqual({ count: 2, many: true, name: 'b' });
  });

  it('a text that looks like something else stays a text', () => {
    const output = { a: '{{ print "42" }}', b: '{{ print "true" }}', c: '{{ print "NaN" }}' };
    expect(reportOutput(output)).toEqual({ a: '42', b: 'true', c: 'NaN' });
  });
});

requirement('2.7/output-mixed-leaf', () => {
  it('text around an action makes a text', () => {
    const output = {
      a: '{{ .results.list.total }} items',
      b: '{{ .input.limit }}{{ .results.list.total }}',
      c: ' {{ .input.limit }}',
    };
    expect(reportOutput(output)).toEqual({ a: '2 items', b: '52', c: ' 5' });
  });

  it('an action alone does not', () => {
    expect(reportOutput({ a: '{{ .input.limit }}' })).toEqual({ a: 5 });
  });
});

requirement('9.3/output-types', () => {
  it('every type of JSON comes through, and none is made out of a text', () => {
    const output = {
      list: '{{ .results.list.items }}',
      number: '{{ .results.list.total }}',
      flag: '{{ .results.list.open }}',
      nothing: '{{ .results.list.none }}',
      text: '{{ .results.list.text }}',
      mixed: '{{ .results.list.open }}!',
    };
    expect(reportOutput(output)).toEqual({
      list: [{ name: 'a' }, { name: 'b' }],
      number: 2,
      flag: true,
      nothing: null,
      text: '08',
      mixed: 'true!',
    });
  });
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
