import { describe, expect, it } from 'vitest';
import { parseWorkflowDefinition, WORKFLOW_DEFINITION_SCHEMA } from '../../../src/index.ts';

type Schema = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isMapping,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
};

const listOf = (schema: Schema, key: string): readonly Schema[] =>
  (schema[key] ?? []) as readonly Schema[];

/** The keywords that the schema uses, as JSON Schema 2020-12 defines them. */
const keywords: Readonly<Record<string, (schema: Schema, value: unknown) => boolean>> = {
  type: ({ type }, value) => isOfType[String(type)]?.(value) === true,
  required: ({ required }, value) =>
    !isMapping(value) || (required as string[]).every((key) => Object.hasOwn(value, key)),
  properties: ({ properties }, value) =>
    !isMapping(value) ||
    Object.entries(properties as Record<string, Schema>).every(
      ([key, schema]) => !Object.hasOwn(value, key) || accepts(schema, value[key]),
    ),
  additionalProperties: ({ additionalProperties, properties = {} }, value) =>
    !isMapping(value) ||
    Object.keys(value).every(
      (key) =>
        Object.hasOwn(properties as object, key) ||
        (isMapping(additionalProperties) && accepts(additionalProperties, value[key])),
    ),
  items: ({ items }, value) =>
    !Array.isArray(value) || value.every((item) => accepts(items as Schema, item)),
  oneOf: (schema, value) =>
    listOf(schema, 'oneOf').filter((one) => accepts(one, value)).length === 1,
  anyOf: (schema, value) => listOf(schema, 'anyOf').some((one) => accepts(one, value)),
  enum: ({ enum: values }, value) => (values as unknown[]).includes(value),
  pattern: ({ pattern }, value) =>
    typeof value !== 'string' || new RegExp(String(pattern)).test(value),
  minLength: ({ minLength }, value) =>
    typeof value !== 'string' || value.length >= Number(minLength),
  maxLength: ({ maxLength }, value) =>
    typeof value !== 'string' || Array.from(value).length <= Number(maxLength),
  minItems: ({ minItems }, value) => !Array.isArray(value) || value.length >= Number(minItems),
  maxItems: ({ maxItems }, value) => !Array.isArray(value) || value.length <= Number(maxItems),
  minProperties: ({ minProperties }, value) =>
    !isMapping(value) || Object.keys(value).length >= Number(minProperties),
  maxProperties: ({ maxProperties }, value) =>
    !isMapping(value) || Object.keys(value).length <= Number(maxProperties),
};

const TELLS_ONLY = new Set(['description', 'default', 'deprecated']);

function accepts(schema: Schema, value: unknown): boolean {
  return Object.keys(schema).every((keyword) => {
    if (TELLS_ONLY.has(keyword)) return true;
    const holds = keywords[keyword];
    if (holds === undefined) throw new Error(`unknown keyword ${keyword}`);
    return holds(schema, value);
  });
}

const accepted = (definition: Schema): boolean =>
  accepts(
    { type: 'object', properties: WORKFLOW_DEFINITION_SCHEMA, additionalProperties: false },
    definition,
  );

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
