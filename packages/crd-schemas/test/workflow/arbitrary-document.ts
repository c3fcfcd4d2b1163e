import * as fc from 'fast-check';

const key = fc.constantFrom('a', 'b-c', '__proto__', 'constructor', 'toString', 'ü', ' ');
const leaf = fc.oneof(
  fc.constantFrom('', 'text', '{{ .input.a }}', 'x {{ .results.s0 }} y'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

/** A mapping in which `__proto__` is a key like any other. */
const mapOf = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> => {
  const map = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) map[name] = value;
  return map;
};

const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map(mapOf),
  ),
}));
const jsonMap = fc.array(fc.tuple(key, json), { maxLength: 3 }).map(mapOf);

/** Each of these fields, or none of it. */
const optional = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields, { requiredKeys: [] });

const describeExpectation = fc.oneof(
  fc.record({ success: fc.boolean() }),
  fc
    .tuple(fc.constantFrom('a', 'items[0].name', '{{ .result.a }}'), json)
    .map(([path, value]) => ({ jsonPath: { [path]: value } })),
);

const condition = fc.oneof(
  fc.record({ template: fc.constantFrom('true', '{{ .input.a }}') }),
  fc
    .tuple(optional({ args: jsonMap, expectNot: describeExpectation }), describeExpectation)
    .map(([rest, expect]) => ({ tool: 'x_check', ...rest, expect })),
  fc
    .tuple(optional({ expect: describeExpectation }), describeExpectation)
    .map(([rest, expectNot]) => ({ fromStep: 's0', ...rest, expectNot })),
);

const about = optional({
  args: jsonMap,
  condition,
  output: fc.boolean(),
  store: fc.boolean(),
  allowFailure: fc.boolean(),
  description: fc.string({ maxLength: 20 }),
});

type Fields = Readonly<Record<string, unknown>>;
const subStep = about.map((fields): Fields => ({ tool: 'x_sub', ...fields }));
const describeSubSteps = fc.array(subStep, { minLength: 1, maxLength: 3 });

const step = fc
  .tuple(
    about,
    fc.oneof(
      fc.constant({ tool: 'x_step' }),
      fc.record({ parallel: describeSubSteps }),
      fc
        .tuple(describeSubSteps, optional({ as: fc.constantFrom('item', 'pod') }))
        .map(([steps, rest]) => ({ forEach: { items: '{{ .input.a }}', ...rest, steps } })),
    ),
  )
  .map(([fields, kind]): Fields => ({ ...fields, ...kind }));

const argument = fc.oneof(
  fc
    .tuple(optional({ required: fc.boolean(), default: fc.integer() }), fc.string({ maxLength: 9 }))
    .map(([rest, description]) => ({ type: 'integer', ...rest, description })),
  optional({ default: jsonMap }).map((rest) => ({ type: 'object', ...rest })),
);

/** Gives every step and sub-step an id of its own. */
const withIds = (spec: Fields): Fields => {
  let next = 0;
  const named = (value: unknown): unknown => {
    const fields = value as Fields & { readonly forEach?: Fields };
    const id = `s${String(next++)}`;
    const list = (steps: unknown): unknown => (steps as readonly unknown[]).map(named);
    return {
      id,
      ...fields,
      ...(fields['parallel'] === undefined ? {} : { parallel: list(fields['parallel']) }),
      ...(fields.forEach === undefined
        ? {}
        : { forEach: { ...fields.forEach, steps: list(fields.forEach['steps']) } }),
    };
  };
  const lists = ['steps', 'onFailure'].filter((name) => spec[name] !== undefined);
  const renamed = lists.map((name) => [name, (spec[name] as readonly unknown[]).map(named)]);
  return { ...spec, ...(Object.fromEntries(renamed) as Fields) };
};

/** A valid document of a workflow, with names that JavaScript treats in a special way. */
export const arbitraryDocument: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.array(step, { minLength: 1, maxLength: 4 }),
    optional({
      description: fc.string({ maxLength: 50 }),
      args: fc.array(fc.tuple(key, argument), { maxLength: 3 }).map(mapOf),
      onFailure: fc.array(subStep, { maxLength: 2 }),
      output: jsonMap,
    }),
    optional({
      namespace: fc.constantFrom('default', 'team-a'),
      labels: fc.constantFrom({}, { team: 'a' }),
      annotations: fc.constantFrom({}, { note: 'any text' }),
    }),
  )
  .map(([steps, rest, metadata]) => ({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'any', ...metadata },
    spec: withIds({ ...rest, steps }),
  }));
