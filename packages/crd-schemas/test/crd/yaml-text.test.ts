import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatYaml } from '../../src/schema/custom-resource-definition.ts';

it('writes block style, quoting what YAML would not read as a text', () => {
  expect(
    formatYaml({
      name: 'a, b (c)',
      empty: {},
      none: [],
      list: ['yes', '1', 'true', 'a: b', 'a # b', ' a', ''],
      nested: [{ one: 1, two: [false, null] }],
    }),
  ).toBe(`name: a, b (c)
empty: {}
none: []
list:
  - "yes"
  - "1"
  - "true"
  - "a: b"
  - "a # b"
  - " a"
  - ""
nested:
  - one: 1
    two:
      - false
      - null
`);
});

it('reads back as what was written, under both versions of YAML', () => {
  const words = fc.constantFrom(
    ...'yes No ~ - 2020-01-01 1e3 .inf 0x1f 12:30 << = ... --- y'.split(' '),
  );
  const strings = fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 12 }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(strings, tie('value'), { maxKeys: 4 }),
    value: fc.oneof(
      { maxDepth: 3 },
      strings,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('tree'),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      if (Object.keys(plain).length === 0) return;
      expect(parse(formatYaml(plain))).toEqual(plain);
      expect(parse(formatYaml(plain), { version: '1.1' })).toEqual(plain);
    }),
    { numRuns: 50 },
  );
});
