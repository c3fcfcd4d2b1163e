import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChartSchema } from '../../src/chart-schema.ts';
import { renderValuesReference } from '../../src/values-reference.ts';

const reference = (values: z.ZodType): string =>
  renderValuesReference('demo', createChartSchema(values));

/** The rows of all tables. */
const rowsOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('| `'));

describe('the reference of the values', () => {
  it('has a table of single values, and a section for each group', () => {
    const text = reference(
      z.strictObject({
        replicas: z.int().min(0).default(1).meta({ description: 'Number of pods.' }),
        image: z
          .strictObject({
            name: z.string().default('app').meta({ description: 'Its name.' }),
            tag: z.string().optional().meta({ description: 'Its tag.' }),
          })
          .prefault({})
          .meta({ description: 'The image.' }),
      }),
    );
    expect(text.slice(text.indexOf('| value'))).toBe(`| value | type | default | allowed | meaning |
| --- | --- | --- | --- | --- |
| \`replicas\` | integer | \`1\` | at least 0 | Number of pods. |

## \`image\`

The image.

| value | type | default | allowed | meaning |
| --- | --- | --- | --- | --- |
| \`image.name\` | text | \`"app"\` |  | Its name. |
| \`image.tag\` | text | unset |  | Its tag. |
`);
  });

  it('follows groups, maps and lists to their last value', () =>
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
              .prefault({}),
          }),
        ),
      ),
    ).toEqual([
      '| `servers[].url` | text |  |  |  |',
      '| `servers[].tools` | list of texts | unset |  |  |',
      '| `families.<name>.group` | text |  | `"a"`, `"b"` |  |',
      '| `a.b` | group |  |  |  |',
      '| `a.b.c` | boolean | `true` |  |  |',
    ]));

  it('describes permitted values', () =>
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
            either: z.union([z.int(), z.string()]).default(1),
            none: z.string().nullable().optional(),
            map: z
              .record(z.string(), z.string())
              .default({})
              .meta({ description: 'A <b> | `<c>`.' }),
          }),
        ),
      ),
    ).toEqual([
      '| `port` | integer | `80` | 1 to 65535 |  |',
      '| `name` | text | `"a"` | at most 63 characters; `^(a\\|b)$` |  |',
      '| `list` | list of integers | `[]` | at most 3 items |  |',
      '| `either` | integer or text | `1` |  |  |',
      '| `none` | text or null | unset |  |  |',
      '| `map` | map of texts | `{}` |  | A &lt;b> \\| `<c>`. |',
    ]));

  it('puts a long default below the table', () => {
    const resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1' } };
    const text = reference(z.strictObject({ resources: z.looseObject({}).default(resources) }));
    expect(rowsOf(text)).toEqual(['| `resources` | object | below |  |  |']);
    expect(text.slice(text.indexOf('Default of'))).toBe(
      'Default of `resources`:\n\n```yaml\nrequests:\n  cpu: 100m\n  memory: 256Mi\nlimits:\n  cpu: "1"\n```\n',
    );
  });

  it('shows examples below the table of a single value, and above the table of a group', () => {
    const text = reference(
      z.strictObject({
        env: z
          .array(z.looseObject({}))
          .default([])
          .meta({ examples: [[{ name: 'TZ' }]] }),
        mode: z
          .string()
          .optional()
          .meta({ examples: ['a', 'b'] }),
        servers: z
          .record(z.string(), z.strictObject({ url: z.string() }))
          .default({})
          .meta({ description: 'Servers.', examples: [{ wiki: { url: 'http://wiki' } }] }),
      }),
    );
    expect(text.slice(text.indexOf('| `mode`'))).toBe(`| \`mode\` | text | unset |  |  |

Example of \`env\`:

\`\`\`yaml
- name: TZ
\`\`\`

## \`servers\`

Servers.

Example of \`servers\`:

\`\`\`yaml
wiki:
  url: http://wiki
\`\`\`

| value | type | default | allowed | meaning |
| --- | --- | --- | --- | --- |
| \`servers.<name>.url\` | text |  |  |  |
`);
  });
});
