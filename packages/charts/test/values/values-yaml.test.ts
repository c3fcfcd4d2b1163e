import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createChartSchema } from '../../src/chart-schema.ts';
import { renderValuesYaml } from '../../src/values-yaml.ts';

const formatYaml = (values: z.ZodType): string =>
  renderValuesYaml('demo', createChartSchema(values));

describe('values.yaml', () => {
  it('shows every value with its description, default, allowed values and examples', () => {
    const values = z.strictObject({
      replicas: z
        .int()
        .min(0)
        .default(1)
        .meta({ description: 'Pods.\nMore of them share the work.' }),
      image: z
        .strictObject({
          pullPolicy: z
            .enum(['Always', 'IfNotPresent'])
            .default('IfNotPresent')
            .meta({ description: 'When to pull.' }),
          tag: z.string().optional().meta({ description: 'The chart’s appVersion when unset.' }),
        })
        .prefault({})
        .meta({ description: 'The image.' }),
      servers: z
        .record(z.string(), z.strictObject({ url: z.string() }))
        .default({})
        .meta({ description: 'Servers.', examples: [{ files: { url: 'http://files' } }] }),
      global: z
        .looseObject({
          domain: z.string().optional().meta({ description: 'Its domain.' }),
          other: z.string().optional(),
        })
        .default({})
        .meta({ description: 'From a parent chart.' }),
      target: z
        .string()
        .optional()
        .meta({ description: 'Where to.', examples: ['a', 'b'] }),
      proxy: z
        .strictObject({ name: z.string().optional().meta({ description: 'Its name.' }) })
        .optional(),
      tls: z
        .strictObject({ secret: z.string().default('tls').meta({ description: 'Its name.' }) })
        .optional()
        .meta({ description: 'Plain text when unset.' }),
    });
    expect(formatYaml(values))
      .toBe(`# Values of the chart \`demo\`: what can be set, what it means, and what holds without it.
# Generated from the definition of the values by \`pnpm gen\`.

# Pods.
# More of them share the work.
replicas: 1

# The image.
image:
  # When to pull.
  # One of: "Always", "IfNotPresent".
  pullPolicy: IfNotPresent
  # The chart’s appVersion when unset.
  # tag:

# Servers.
# For example:
#   servers:
#     files:
#       url: http://files
servers: {}

# From a parent chart.
# It may hold:
#   domain: Its domain.
#   other: of your choice.
global: {}

# Where to.
# For example:
#   a
#   b
# target:

# It may hold:
#   name: Its name.
# proxy:

# Plain text when unset.
# tls:
#   # Its name.
#   secret: tls
`);
  });

  it('wraps long descriptions at 100 characters, below groups too', () => {
    const description = 'word '.repeat(60).trim();
    const text = formatYaml(
      z.strictObject({
        a: z.strictObject({ b: z.string().default('x').meta({ description }) }).prefault({}),
      }),
    );
    const lines = text.split('\n').filter((line) => line.startsWith('  # '));
    expect(lines).toHaveLength(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  const texts = [
    ...'yes off null ~ 1e3 0o14 012 0x1F 1_000 12:30:45 2020-01-01 .inf = " \' 👾 \u2028'.split(
      ' ',
    ),
    ...['{{ .Values.a }}', '- a', '# a', 'a: b', '', ' a ', 'a\nb\n', '\n\n a\n'],
  ];

  it.each(texts)('keeps the text %j, as YAML 1.1 and as 1.2', (text) => {
    const value = { text, list: [text], map: { [text]: text } };
    const values = z.strictObject({
      group: z.strictObject({ value: z.looseObject({}).default(value) }).prefault({}),
    });
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(formatYaml(values), { version })).toEqual({ group: { value } });
  });
});
