import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseWorkflowDefinition, WORKFLOW_DEFINITION_SCHEMA } from '../../../src/index.ts';

type Schema = Readonly<Record<string, unknown>>;

const accepted = new Ajv2020({ strict: false }).compile({
  type: 'object',
  properties: WORKFLOW_DEFINITION_SCHEMA,
  additionalProperties: false,
});

const call = (rest: Schema = {}): Schema => ({ id: 'a', tool: 'x_s_t', ...rest });
const stepped = (...steps: readonly unknown[]): Schema => ({ steps });

const right: Readonly<Record<string, Schema>> = {
  'a call': stepped(call({ args: { x: '{{ .input.x }}' }, output: true, description: 'Reads.' })),
  'a loop': stepped({
    id: 'each',
    forEach: { items: '{{ .input.list }}', as: 'one', steps: [call()] },
    allowFailure: true,
  }),
  'a group': stepped({ id: 'both', parallel: [call(), call({ id: 'b', store: true })] }),
  'a template condition': stepped(call({ condition: { template: '{{ .input.x }}' } })),
  'a tool condition': stepped(
    call({ condition: { tool: 'x_s_c', args: {}, expect: { success: true } } }),
  ),
  'a condition on a step': stepped(
    call(),
    call({ id: 'b', condition: { fromStep: 'a', expectNot: { jsonPath: { 'a.b': 1 } } } }),
  ),
  'everything else': {
    description: 'Reads.',
    args: { n: { type: 'integer', required: true }, o: { type: 'object', default: {} } },
    ...stepped(call()),
    onFailure: [call({ id: 'clean' })],
    output: { all: '{{ .results.a }}' },
  },
};

const wrong: Readonly<Record<string, Schema>> = {
  'no step': stepped(),
  'a step of no kind': stepped({ id: 'a' }),
  'a step of two kinds': stepped(call({ parallel: [call({ id: 'b' })] })),
  'no id': stepped({ tool: 'x_s_t' }),
  'an id with a space': stepped(call({ id: 'a b' })),
  'an id of 64 characters': stepped(call({ id: 'a'.repeat(64) })),
  'an unknown field': stepped(call({ retry: 3 })),
  'a loop in a loop': stepped({
    id: 'a',
    forEach: { items: '{{ .input.x }}', steps: [{ id: 'b', forEach: { items: 'x', steps: [] } }] },
  }),
  'a loop without steps': stepped({ id: 'a', forEach: { items: '{{ .input.x }}', steps: [] } }),
  'an empty group': stepped({ id: 'a', parallel: [] }),
  'a condition of two sources': stepped(call({ condition: { template: 'true', tool: 'x' } })),
  'a condition that expects nothing': stepped(call({ condition: { tool: 'x_s_c' } })),
  'an empty expectation': stepped(call({ condition: { tool: 'x_s_c', expect: {} } })),
  'an argument without a type': { ...stepped(call()), args: { x: {} } },
  'an argument of an unknown type': { ...stepped(call()), args: { x: { type: 'date' } } },
  'a description of 1,001 characters': { ...stepped(call()), description: 'd'.repeat(1001) },
  'a handler without a tool': { ...stepped(call()), onFailure: [{ id: 'b' }] },
};

describe('the shown schema of a definition', () => {
  it.each(Object.entries(right))('accepts %s, as the parser does', (_title, definition) => {
    expect(parseWorkflowDefinition({ name: 'w', ...definition })).toMatchObject({ ok: true });
    expect(accepted(definition)).toBe(true);
  });

  it.each(Object.entries(wrong))('refuses %s, as the parser does', (_title, definition) => {
    expect(parseWorkflowDefinition({ name: 'w', ...definition })).toMatchObject({ ok: false });
    expect(accepted(definition)).toBe(false);
  });

  it('shows camel case only, though the parser takes the older spellings', () => {
    const older = stepped({ id: 'a', tool: 'x_s_t', allow_failure: true });
    expect(parseWorkflowDefinition({ name: 'w', ...older })).toMatchObject({ ok: true });
    expect(accepted(older)).toBe(false);
  });
});
