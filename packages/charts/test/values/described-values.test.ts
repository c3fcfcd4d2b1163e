import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../generated.ts';
import { createChartSchema, type ValueSchema } from '../../src/chart-schema.ts';

interface Named {
  readonly key: string;
  readonly schema: ValueSchema;
}

/** Every value below a schema, by its key. */
const valuesBelow = (schema: ValueSchema, prefix = ''): readonly Named[] => {
  const { additionalProperties: named, items } = schema;
  const inner: readonly Named[] = [
    ...Object.entries(schema.properties ?? {}).map(([key, value]) => ({
      key: `${prefix}${key}`,
      schema: value,
    })),
  ];
  return [
    ...inner.flatMap((value) => [value, ...valuesBelow(value.schema, `${value.key}.`)]),
    ...(typeof named === 'object' ? valuesBelow(named, `${prefix}<name>.`) : []),
    ...(items === undefined ? [] : valuesBelow(items, `${prefix}[].`)),
  ];
};

const ajv = new Ajv({ strict: false });

describe.each(Object.entries(valuesOf))('the values of the chart %s', (_chart, values) => {
  const all = valuesBelow(createChartSchema(values, 'whole'));

  it('have a description each', () =>
    expect(
      all.filter(({ schema }) => schema.description === undefined).map(({ key }) => key),
    ).toEqual([]));

  it('have examples that are valid for their schema', () =>
    expect(
      all.flatMap(({ key, schema }) =>
        (schema.examples ?? [])
          .filter((example) => !ajv.validate(schema, example))
          .map((example) => `${key}: ${JSON.stringify(example)} ${ajv.errorsText()}`),
      ),
    ).toEqual([]));
});
