import { describe, expect, it } from 'vitest';
import { listTemplateVars } from '../../src/records/run-document.ts';
import { workflowOf } from '../run-harness.ts';

const varsOf = (args: unknown) =>
  listTemplateVars(workflowOf({ steps: [{ id: 'a', tool: 'x', args }] }));

describe('the arguments that steps refer to', () => {
  it('are named as they are written, each once', () => {
    const args = {
      a: '{{ .input.repo }}',
      b: ['{{ .input.repo }}/{{ .input.user.name }}', { c: '{{ index .input.tags 0 }}' }],
      d: '{{ .input.list[0].x }} {{ .input.my-id }}',
      e: '{{ $.input.root }}',
    };
    expect(varsOf(args).join(' ')).toBe(
      'input.repo input.user.name input.tags input.list[0].x input.my-id input.root',
    );
  });

  it('are not those of text, of other references or of keys', () => {
    const args = {
      a: '.input.x',
      b: '.input.x {{ .vars.item }}',
      c: '{{ .results.input.x }}',
      d: '{{ .results.a.input.x }}',
      '{{ .input.key }}': 1,
    };
    expect(varsOf(args)).toEqual([]);
  });

  it('are found in loops, groups and handlers', () => {
    const using = (id: string) => ({ id, tool: 'x', args: { a: `{{ .input.${id} }}` } });
    const forEach = { items: '{{ .input.items }}', steps: [using('a')] };
    const steps = [
      { id: 'l', forEach },
      { id: 'p', parallel: [using('b')] },
    ];
    const workflow = workflowOf({ steps, onFailure: [using('c')] });
    expect(listTemplateVars(workflow)).toEqual(['input.a', 'input.b', 'input.c']);
  });

  it('are found in linear time in a text that holds many opening braces', () => {
    const started = performance.now();
    expect(varsOf({ a: `{{ "${'{{'.repeat(130_000)}" }}` })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
