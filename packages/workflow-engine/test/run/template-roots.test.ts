import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { answering, echo, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = {
  x_echo: echo,
  x_list: answering(() => ({ items: [{ id: 'a' }, { id: 'b' }], total: 2 })),
};

const LIST = { id: 'my-list', tool: 'x_list' };

/** What the tool of the last step got, or why the run failed. */
const seen = async (template: string, before: readonly object[] = [], input: unknown = {}) => {
  const harness = harnessOf({ tools });
  const steps = [...before, { id: 'see', tool: 'x_echo', args: { v: template } }];
  const { document, isError } = await harness.run(workflowOf({ steps }), input);
  return isError ? (document.error as string) : harness.calls.at(-1)?.arguments['v'];
};

const loop = (template: string, as?: string) => ({
  id: 'loop',
  forEach: {
    items: '{{ .results.my-list.items }}',
    ...(as !== undefined && { as }),
    steps: [{ id: 'inner', tool: 'x_echo', args: { v: template } }],
  },
});

/** What the tool of a loop got, item by item. */
const seenInLoop = async (template: string, as?: string) => {
  const harness = harnessOf({ tools });
  await harness.run(workflowOf({ steps: [LIST, loop(template, as)] }), { items: ['x', 'y'] });
  return harness.calls.slice(1).map((call) => call.arguments['v']);
};

requirement('2.7/template-input', () => {
  it('gives a step the argument with its type', async () => {
    expect(await seen('{{ .input.ids }}', [], { ids: [1, 2] })).toEqual([1, 2]);
  });

  it('fails the step on an argument that was not given', async () => {
    expect(await seen('{{ .input.ids }}', [], { id: 1 })).toContain(
      'path \'.input.ids\' not found: map has no entry for key "ids"; nearest key: "id"',
    );
  });
});

requirement('2.7/template-results', () => {
  it('gives a later step a field of an earlier result', async () => {
    expect(await seen('{{ .results.my-list.total }}', [LIST])).toBe(2);
    expect(await seen('{{ .results.my-list.items[1].id }}', [LIST])).toBe('b');
    expect(await seen('{{ (index .results "my-list").total }}', [LIST])).toBe(2);
  });

  it('fails the step on a field or a step that is not there', async () => {
    expect(await seen('{{ .results.my-list.count }}', [LIST])).toContain(
      "path '.results.my-list.count' not found",
    );
    expect(await seen('{{ .results.see.v }}', [LIST])).toContain(
      'path \'.results.see.v\' not found: map has no entry for key "see"; nearest key: "my-list"',
    );
  });
});

requirement('2.7/template-vars', () => {
  it('gives a sub-step the item and its index', async () => {
    expect(await seenInLoop('{{ .vars.item_index }}{{ .vars.item.id }}')).toEqual(['0a', '1b']);
    expect(await seenInLoop('{{ .vars.pod }}', 'pod')).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('has nothing outside of the loop', async () => {
    const after = await seen('{{ .vars.item }}', [LIST, loop('{{ .vars.item }}')]);
    expect(after).toContain(
      'path \'.vars.item\' not found: map has no entry for key "item"; it has no keys',
    );
  });
});

requirement('2.7/template-context', () => {
  it('gives a value of the execution: what .results gives', async () => {
    expect(await seen('{{ .context.my-list.total }}', [LIST])).toBe(2);
  });

  it('has no other values', async () => {
    expect(await seen('{{ .context.caller }}', [LIST])).toContain(
      'path \'.context.caller\' not found: map has no entry for key "caller"; nearest key: "my-list"',
    );
  });
});

describe('the template functions', () => {
  const calls = '{{ .input.names | join "-" | upper }}';

  it('are the same in arguments, items, conditions and the output', async () => {
    const harness = harnessOf({ tools });
    const workflow = workflowOf({
      steps: [
        { id: 'args', tool: 'x_echo', args: { v: calls } },
        {
          id: 'gate',
          tool: 'x_echo',
          condition: { template: '{{ eq (.input.names | join "-" | upper) "A-B" }}' },
        },
        {
          id: 'loop',
          forEach: {
            items: '{{ .input.names | join "-" | upper | splitList "-" }}',
            steps: [{ id: 'inner', tool: 'x_echo', args: { v: '{{ .vars.item }}' } }],
          },
        },
      ],
      output: { v: calls },
    });
    const { document } = await harness.run(workflow, { names: ['a', 'b'] });
    expect(document.v).toBe('A-B');
    expect(harness.calls.map((call) => call.arguments['v'])).toEqual(['A-B', undefined, 'A', 'B']);
  });

  it.each(['env', 'expandenv', 'getHostByName', 'genPrivateKey', 'uuidv4', 'call'])(
    'have no %s, which would reach outside',
    (name) => {
      const steps = [{ id: 'a', tool: 'x_echo', args: { v: `{{ ${name} "HOME" }}` } }];
      expect(() => workflowOf({ steps })).toThrow(`function \\"${name}\\" not defined`);
    },
  );
});
