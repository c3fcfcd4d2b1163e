import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChartSchema } from '../../src/chart-schema.ts';
import { hasValue, unreadLeaves, valueReads } from './template-values.ts';

const schema = createChartSchema(
  z.strictObject({
    image: z
      .strictObject({ tag: z.string().default(''), digest: z.string().default('') })
      .prefault({}),
    labels: z.record(z.string(), z.string()).default({}),
    replicas: z.int().default(1),
  }),
);

describe('the values that templates read', () => {
  it('are found behind dots, parentheses and variables, and not in comments', () =>
    expect(
      valueReads(
        '{{/* .Values.no */}}{{ .Values.a.b }}{{ ((.Values.c).d).e }}\n{{ toYaml $.Values.f }}',
      ),
    ).toEqual([
      { path: ['a', 'b'], isWhole: false },
      { path: ['c', 'd', 'e'], isWhole: false },
      { path: ['f'], isWhole: true },
    ]));

  it('exist when the schema has them or has a map', () => {
    const paths = [
      ['image', 'tag'],
      ['labels', 'team'],
      ['image', 'name'],
      ['image2'],
      ['replicas'],
    ];
    expect(paths.map((path) => hasValue(schema, path))).toEqual([true, true, false, false, true]);
  });

  it.each([
    ['{{ .Values.image.tag }}', ['image.digest', 'labels', 'replicas']],
    ['{{ with .Values.image }}{{ .digest }}{{ end }}', ['image.tag', 'labels', 'replicas']],
    ['{{ toYaml .Values.image }}{{ .Values.labels.team }}', ['replicas']],
    [
      '{{ $v := .Values }}{{ range list "replicas" }}{{ end }}',
      ['image.tag', 'image.digest', 'labels'],
    ],
    ['{{ $v := .Values }}\n{{ toYaml $v.image }}', ['labels', 'replicas']],
    ['{{/* .Values.replicas */}}', ['image.tag', 'image.digest', 'labels', 'replicas']],
  ])('leave of %j unread: %j', (template, unread) =>
    expect(unreadLeaves(schema, template)).toEqual(unread),
  );
});
