import { describe, expect, it } from 'vitest';
import { toFormSchema } from '../src/form/form-schema.ts';
import { schemaValidator } from '../src/form/schema-validator.ts';

/** A text for which a pattern with backtracking takes longer than anyone waits. */
const TEXT = `${'a'.repeat(64)}!`;

const ofName = (name: object) => ({ type: 'object', properties: { name } });

const problemsOf = (schema: object, value: unknown): readonly (string | undefined)[] =>
  schemaValidator
    .validateFormData(value, toFormSchema(schema as Record<string, unknown>))
    .errors.map(({ property, message }) => `${property ?? ''} ${message ?? ''}`);

describe('a pattern of a server', () => {
  it.each(['^(a+)+$', '^(?:a|a)*$', '^(a|aa)+$', '(.*a){25}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'does not stop the page: %s',
    (pattern) => {
      const schema = ofName({ type: 'string', default: TEXT, pattern });
      expect(problemsOf(schema, { name: TEXT })).toEqual(['.name String does not match pattern.']);
    },
  );

  it.each([
    ['allOf', { allOf: [{ pattern: '^(a+)+$' }] }],
    ['not', { not: { pattern: '^(a+)+$' } }],
    ['a definition', { $ref: '#/$defs/bad' }],
    ['a property with the name of a keyword', { properties: { default: { pattern: '^(a+)+$' } } }],
    ['names', { propertyNames: { pattern: '^(a+)+$' } }],
    ['patternProperties', { patternProperties: { '^(a+)+$': false } }],
    ['patternProperties below anyOf', { anyOf: [{ patternProperties: { '^(a+)+$': {} } }] }],
  ])('does not stop the page, wherever it is: %s', (_where, keywords) => {
    const schema = { $defs: { bad: { pattern: '^(a+)+$' } }, properties: { name: keywords } };
    for (const name of [TEXT, { [TEXT]: 1, default: TEXT }]) {
      const found = problemsOf(schema, { name });
      expect(Array.isArray(found)).toBe(true);
    }
  });

  it('does not stop the page when it is large', () => {
    const schema = ofName({ type: 'string', pattern: `^(?:${'[a-z]?'.repeat(150)}){900}$` });
    expect(problemsOf(schema, { name: 'a'.repeat(100_000) })).toEqual([]);
  });

  it.each([
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'my-name', 'My name'],
    ['^\\d{4}-\\d{2}$', '2026-11', '2026-1'],
    ['b', 'abc', 'axc'],
    ['^(?<year>\\d{4})$', '2026', '26'],
    ['^\\p{L}+$', 'שלום', 'a1'],
    ['^a\\.b|c\\\\$', 'a.b', 'axb'],
  ])('%s accepts %s and refuses %s', (pattern, accepted, refused) => {
    const schema = ofName({ type: 'string', pattern });
    expect(problemsOf(schema, { name: accepted })).toEqual([]);
    expect(problemsOf(schema, { name: refused })).toEqual(['.name String does not match pattern.']);
  });

  it('refuses and accepts texts with the signs of patterns', () => {
    const name = '^$.*+?()[]{}|/\\-#\n👾\ud800';
    expect(problemsOf(ofName({ pattern: '^\\^\\$' }), { name })).toEqual([]);
    expect(problemsOf(ofName({ pattern: '^x' }), { name })).toHaveLength(1);
  });

  it('that needs backtracking is left to the gateway', () => {
    expect(problemsOf(ofName({ pattern: '^(a+)\\1$' }), { name: 'b' })).toEqual([]);
    expect(problemsOf(ofName({ pattern: '(?!)' }), { name: 'b' })).toEqual([]);
  });

  it('leaves data of a schema as it is', () => {
    const schema = ofName({ const: { pattern: '^(a+)+$' } });
    expect(problemsOf(schema, { name: { pattern: '^(a+)+$' } })).toEqual([]);
  });
});
