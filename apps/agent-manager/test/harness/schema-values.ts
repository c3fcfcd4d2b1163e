import { toInputSchema, type OperationName } from '@gateway/agent-manager-client';
import fc from 'fast-check';

/** A JSON Schema as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Arguments = Readonly<Record<string, unknown>>;

/** Texts that mean something to some argument, and all others. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('sre', 'ops', 'default', 'small', 'go', 'main', '') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Bad', 'team-a', '..', 'a/b', 'x'.repeat(64), '__proto__'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);

const selector = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('preset:read-only', 'preset:none', 'server:one') },
  { weight: 1, arbitrary: fc.constantFrom('label:a', 'toolset:x', ' tool:a', '') },
);

/** Values that a schema describes. Keys that are likely to matter have values that are likely to be taken. */
function matching(schema: JsonSchema, key: string): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const items = key === 'toolset' ? selector : matching(schema['items'] as JsonSchema, '');
      return fc.array(items, { minLength: key === 'toolset' ? 1 : 0, maxLength: 3 });
    }
    case 'object':
      return objectOf(schema);
    default:
      return key === 'name'
        ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom('sre', 'ops') }, text)
        : text;
  }
}

function objectOf(schema: JsonSchema): fc.Arbitrary<Arguments> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0)
    return fc.dictionary(fc.constantFrom('a', 'b/c', 'é'), text, { maxKeys: 2 });
  const model = Object.fromEntries(properties.map(([key, one]) => [key, matching(one, key)]));
  return fc.record(model, {
    requiredKeys: (schema['required'] ?? []) as string[],
  });
}

/** Something that the schema does not describe: another type, or a field too many. `null` is as if it were left out. */
const WRONG = fc.constantFrom<unknown>(5, true, 'text', [], {}, [5], null);

/** Arguments of an operation, mostly valid by its schema. A value in a path or a query is always a string. */
export function valuesOf(name: OperationName): fc.Arbitrary<Arguments> {
  const schema = toInputSchema(name) as { properties?: Record<string, JsonSchema> };
  const right = objectOf(schema);
  const inBody = ['create_agent', 'update_agent', 'validate_agent'].includes(name)
    ? Object.keys(schema.properties ?? {}).filter(
        (key) => name !== 'update_agent' || (key !== 'name' && key !== 'namespace'),
      )
    : [];
  if (inBody.length === 0) return right.map(inPath);
  const spoilt = fc
    .tuple(right, fc.constantFrom(...inBody, 'toolNames', 'colour'), WRONG)
    .map(([given, key, value]) => ({ ...given, [key]: value }));
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: spoilt }).map(inPath);
}

/** A path has no empty segments, and a namespace that is left out is the default one there. */
const inPath = (given: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      if (value !== '' || (key !== 'namespace' && key !== 'name')) return [[key, value]];
      return key === 'name' ? [[key, 'sre']] : [];
    }),
  );
