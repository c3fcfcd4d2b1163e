import { expect, it } from 'vitest';
import { WORKFLOW_DEFINITION_SCHEMA } from '../../../src/index.ts';
import {
  type FieldShape,
  type ObjectShape,
  createResourceShape,
} from '../../../src/schema/resource-shape.ts';

type Schema = Readonly<Record<string, unknown>>;

const asSchema = (value: unknown): Schema => (value ?? {}) as Schema;

/** Bounds of texts that the shown schema leaves out: models need not read them. */
const textProblems = (shown: Schema, { bounds }: Extract<FieldShape, { kind: 'text' }>) => {
  const { pattern, maxLength = bounds.max } = shown;
  return [
    ...(pattern === undefined || pattern === bounds.pattern?.regex.source ? [] : ['pattern']),
    ...(maxLength === bounds.max ? [] : ['maxLength']),
  ];
};

const objectDifferences = (shown: Schema, { fields }: ObjectShape, path: string) => {
  const properties = asSchema(shown['properties']);
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const names = fields.map(({ name }) => name);
  return [
    ...(JSON.stringify(Object.keys(properties).sort()) === JSON.stringify(names.sort())
      ? []
      : [`${path}: properties`]),
    ...(JSON.stringify([...((shown['required'] ?? []) as string[])].sort()) ===
    JSON.stringify(required.sort())
      ? []
      : [`${path}: required`]),
    ...fields.flatMap(({ name, shape, default: value }) => {
      const property = asSchema(properties[name]);
      const said = property['default'];
      return [
        ...(said === undefined || said === value ? [] : [`${path}.${name}: default`]),
        ...differences(property, shape, `${path}.${name}`),
      ];
    }),
  ];
};

type Differ = (shown: Schema, shape: FieldShape, path: string) => readonly string[];

const listDifferences: Differ = (shown, shape, path) =>
  shape.kind === 'list'
    ? [
        ...(shown['maxItems'] === shape.maxItems ? [] : [`${path}: maxItems`]),
        ...differences(asSchema(shown['items']), shape.items, `${path}[]`),
      ]
    : [];

const choiceDifferences: Differ = (shown, shape, path) =>
  shape.kind === 'choice' && JSON.stringify(shown['enum']) !== JSON.stringify(shape.values)
    ? [`${path}: enum`]
    : [];

const mapDifferences: Differ = (shown, shape, path) =>
  shape.kind === 'map' && shape.values.kind !== 'value'
    ? differences(asSchema(shown['additionalProperties']), shape.values, `${path}{}`)
    : [];

/** Where the schema that tools show differs from the fields that are parsed, in what it says at all. */
function differences(shown: Schema, shape: FieldShape, path: string): readonly string[] {
  if (shape.kind === 'text')
    return textProblems(shown, shape).map((problem) => `${path}: ${problem}`);
  if (shape.kind === 'object') return objectDifferences(shown, shape, path);
  return [listDifferences, choiceDifferences, mapDifferences].flatMap((differ) =>
    differ(shown, shape, path),
  );
}

it('shows the fields that are parsed, no more and no fewer', () => {
  const spec = createResourceShape('Workflow').spec;
  const shown = { properties: WORKFLOW_DEFINITION_SCHEMA, required: ['steps'] };
  expect(differences(shown, spec, 'spec')).toEqual([]);
});

it('would notice a field that is missing, or bounded otherwise', () => {
  const spec = createResourceShape('Workflow').spec;
  const { output: _output, ...properties } = WORKFLOW_DEFINITION_SCHEMA;
  const shown = { properties: { ...properties, description: { maxLength: 9 } }, required: [] };
  expect(differences(shown, spec, 'spec')).toEqual([
    'spec: properties',
    'spec: required',
    'spec.description: maxLength',
  ]);
});
