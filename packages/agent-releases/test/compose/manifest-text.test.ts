import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderManifestFile, formatYamlText } from '../../src/compose/manifests.ts';

/** Characters that mean something in YAML, or to some reader of it. */
const MARKS = Array.from('\n\r\t :#-"\'|>&*!%@`{}[],?\\0e~ \u2028\ud800x');

describe('the YAML of a manifest', () => {
  it.each([
    ...['yes', 'No', 'on', '~', 'null', '1e3', '0123', '0o7', '0x1F', '1_000', '12:30:45'],
    ...['2001-01-01', '<<', '=', '.inf', '.NaN', 'true', '', ' lead', '# no', '- x', 'a: b'],
  ])('quotes texts that some YAML reads as something else: %s', (text) => {
    expect(formatYamlText([text])).toBe(`- ${JSON.stringify(text)}\n`);
  });

  const labels = { team: 'a' };
  it.each([
    [
      'leaves plain texts plain',
      ['preset:read-only', 'Be brief.', '🦊', 'https://host/a?b=c'],
      '- preset:read-only\n- Be brief.\n- 🦊\n- https://host/a?b=c\n',
    ],
    [
      'prints several lines as lines',
      { systemMessage: 'Be brief.\nBe kind.\n' },
      'systemMessage: |\n  Be brief.\n  Be kind.\n',
    ],
    [
      'escapes line separators, and characters that no file can contain',
      { a: 'x\u2028y\u0085z', b: '\ud800', c: 'x\ry', d: '\ufeff', '\u2029': '\u0000' },
      'a: "x\\u2028y\\u0085z"\nb: "\\ud800"\nc: "x\\ry"\nd: "\\ufeff"\n"\\u2029": "\\0"\n',
    ],
    [
      'prints equal maps twice, and no aliases',
      { one: labels, two: labels },
      'one:\n  team: a\ntwo:\n  team: a\n',
    ],
    [
      'keeps the order of keys, `__proto__` among them',
      JSON.parse('{"b":1,"__proto__":{"a":2},"constructor":3,"a":null}') as unknown,
      'b: 1\n__proto__:\n  a: 2\nconstructor: 3\na: null\n',
    ],
  ])('%s', (_rule, value, yaml) => {
    expect(formatYamlText(value)).toBe(yaml);
  });

  const text = fc.string({ unit: 'binary', maxLength: 8 });
  const leaf = fc.oneof(text, fc.double({ noNaN: true }), fc.constantFrom(null, true, 0, 1e21));
  const list = fc.array(leaf, { maxLength: 3 });
  const map = fc.dictionary(text, list, { maxKeys: 2 });

  it('has the same value when it is parsed', () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(leaf, list, map), { maxKeys: 4 }), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        const printed = formatYamlText(json);
        expect(parse(printed)).toEqual(json);
        expect(parse(printed, { version: '1.1', merge: false })).toEqual(json);
      }),
      { numRuns: 50 },
    );
  });

  it('is read back as it was, also texts of lines, blanks and marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...MARKS) }), (marks) => {
        const value = { [marks]: [marks, { text: marks }] };
        expect(parse(formatYamlText(value))).toEqual(value);
      }),
      { numRuns: 120 },
    );
  });

  it('omits the fields that the API server adds', () => {
    const name = { name: 'a', namespace: 'b', annotations: { uid: 'mine' } };
    const times = { generation: 2, creationTimestamp: '2026-01-01T00:00:00Z' };
    const added = { uid: 'u', resourceVersion: '7', ...times, managedFields: [{ manager: 'x' }] };
    const object = { apiVersion: 'v1', kind: 'Thing', metadata: { ...name, ...added } };
    expect(renderManifestFile({ ...object, spec: { a: 1 }, status: { b: 2 } })).toBe(
      'apiVersion: v1\nkind: Thing\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n    uid: mine\nspec:\n  a: 1\n',
    );
  });
});
