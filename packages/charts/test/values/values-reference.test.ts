import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChartSchema } from '../../src/chart-schema.ts';
import {
  findSharedValues,
  renderSharedReference,
  renderValuesReference,
} from '../../src/values-reference.ts';

const reference = (values: z.ZodType): string =>
  renderValuesReference('demo', createChartSchema(values));

/** The lines of values. */
const rowsOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('- `') && !line.startsWith('- `<name>`'));

describe('the reference of the values', () => {
  it('follows groups, maps and lists to their last value, and has no line for a group', () =>
    expect(
      rowsOf(
        reference(
          z.strictObject({
            servers: z
              .array(z.strictObject({ url: z.string(), tools: z.array(z.string()).optional() }))
              .default([]),
            families: z
              .record(z.string(), z.strictObject({ group: z.enum(['a', 'b']) }))
              .default({}),
            a: z
              .strictObject({ b: z.strictObject({ c: z.boolean().default(true) }).prefault({}) })
              .prefault({})
              .meta({ description: 'The group.' }),
            replicas: z.int().min(0).default(1).meta({ description: 'Number of pods.' }),
            tag: z.string().optional().meta({ description: 'Its tag.' }),
          }),
        ),
      ),
    ).toEqual([
      ...['- `servers` (list of objects)', '- `servers[].url` (text, required)'],
      ...['- `servers[].tools` (list of texts)', '- `families` (map of objects)'],
      ...['- `families.<name>.group` (text, required): One of `"a"`, `"b"`.', '- `a.b.c` (`true`)'],
      ...['- `replicas` (`1`): Number of pods.', '- `tag` (text): Its tag.'],
    ]));

  it('has ranges and listed values, and leaves lengths and patterns to the schema', () =>
    expect(
      rowsOf(
        reference(
          z.strictObject({
            port: z.int().min(1).max(65535).default(80),
            name: z
              .string()
              .max(63)
              .regex(/^(a|b)$/u)
              .default('a'),
            list: z.array(z.int()).max(3).default([]),
            either: z.union([z.int(), z.string()]).optional(),
            none: z.string().nullable().optional(),
            map: z
              .record(z.string(), z.string())
              .default({})
              .meta({ description: 'A <b> | `<c>` of docs/configuration.md.' }),
          }),
        ),
      ),
    ).toEqual([
      ...['- `port` (`80`): 1 to 65535.', '- `name` (`"a"`)', '- `list` (list of integers)'],
      ...['- `either` (integer or text)', '- `none` (text or null)'],
      '- `map` (map of texts): A &lt;b> | `<c>` of [configuration.md](../../configuration.md).',
    ]));

  it('puts a long default below', () => {
    const resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1' } };
    const text = reference(z.strictObject({ resources: z.looseObject({}).default(resources) }));
    expect(rowsOf(text)).toEqual(['- `resources` (below)']);
    expect(text.slice(text.indexOf('Default of'))).toBe(
      'Default of `resources`:\n\n```yaml\nrequests:\n  cpu: 100m\n  memory: 256Mi\nlimits:\n  cpu: "1"\n```\n',
    );
  });
});

describe('the values of several charts', () => {
  const chart = (name: string, port = 80) =>
    createChartSchema(
      z.strictObject({
        name: z.string().default(name),
        labels: z.record(z.string(), z.string()).default({}),
        service: z
          .strictObject({ port: z.int().default(port), type: z.string().default('ClusterIP') })
          .prefault({}),
      }),
    );
  const schemas = [chart('a'), chart('b'), chart('c', 81)];
  const shared = findSharedValues(schemas);

  it('are those with the same default and meaning', () => {
    expect(rowsOf(renderSharedReference(shared))).toEqual([
      '- `labels` (map of texts)',
      '- `service.port` (`80`)',
      '- `service.type` (`"ClusterIP"`)',
    ]);
  });

  it('are only named by the pages of the charts, a group by its key when all of it is shared', () => {
    const [first = '', , third = ''] = schemas.map((schema) =>
      renderValuesReference('demo', schema, shared),
    );
    expect(first).toContain('Described [there](common.md): `labels`, `service`.\n');
    expect(rowsOf(first)).toEqual(['- `name` (`"a"`)']);
    expect(third).toContain('Described [there](common.md): `labels`, `service.type`.\n');
    expect(rowsOf(third)).toEqual(['- `name` (`"c"`)', '- `service.port` (`81`)']);
  });
});
