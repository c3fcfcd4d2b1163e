import { describe, expect, it } from 'vitest';
import { listCelRules } from '../../src/index.ts';
import { compileRule } from '../../src/rules/evaluate-rules.ts';

const ruleOf = (rule: string) => compileRule({ id: 'any', path: ['spec'], message: 'no', rule });

describe('an expression', () => {
  it('that is none of CEL is a bug of the table', () => {
    expect(() => ruleOf('has(self.a) ||')).toThrow('Unexpected token');
    expect(() => ruleOf('has(other.a)')).toThrow('Unknown variable: other');
    expect(() => ruleOf('unknown(self.a)')).toThrow('no matching overload');
  });
  it('that is longer than rules are is refused as well', () => {
    expect(() => ruleOf(Array.from({ length: 300 }, () => 'has(self.a)').join(' || '))).toThrow(
      'Exceeded maxAstNodes',
    );
  });
  it('that cannot be decided counts as broken', () => {
    expect(ruleOf('self.a > 1.0').holds({ a: 2 })).toBe(true);
    expect(ruleOf('self.a > 1.0').holds({ a: 'x' })).toBe(false);
    expect(ruleOf('self.a > 1.0').holds({})).toBe(false);
  });
  it('that is not true is broken', () => {
    expect(ruleOf('self.a').holds({ a: true })).toBe(true);
    expect(ruleOf('self.a').holds({ a: 'true' })).toBe(false);
  });
});

describe('an expression sees', () => {
  it('own fields only', () => {
    expect(ruleOf('has(self.toString)').holds({})).toBe(false);
    expect(ruleOf('has(self.constructor)').holds({ constructor: 1 })).toBe(true);
  });
  it('null as absent, as the API server does', () => {
    expect(ruleOf('has(self.a)').holds({ a: null })).toBe(false);
    expect(ruleOf(`!has(self.a) || self.a != 'x'`).holds({ a: null })).toBe(true);
  });
  it('fields of mappings only', () => {
    expect(ruleOf('has(self.a)').holds({ a: 7 })).toBe(true);
    expect(ruleOf('has(self.a) && has(self.a.b)').holds({ a: 7 })).toBe(false);
    expect(ruleOf('has(self.a) && has(self.a.b)').holds({ a: { b: 1 } })).toBe(true);
  });
  it('how many there are, not what', () => {
    expect(ruleOf('self.a != []').holds({ a: [] })).toBe(false);
    expect(ruleOf('self.a != []').holds({ a: [{ constructor: 1 }] })).toBe(true);
    expect(ruleOf('size(dyn(self.a)) > 0').holds({ a: {} })).toBe(false);
    expect(ruleOf('size(dyn(self.a)) > 0').holds({ a: { constructor: 1 } })).toBe(true);
  });
});

describe('each rule', () => {
  it.each(['MCPServer', 'Workflow'] as const)('of a %s has one place for one id', (kind) => {
    const places = listCelRules(kind).map(({ id, path }) => `${path.join('.')} ${id}`);
    expect(new Set(places).size).toBe(places.length);
  });
  it('is one expression, wherever it hangs', () => {
    const expressions = new Map<string, Set<string>>();
    for (const { id, rule } of listCelRules('Workflow')) {
      expressions.set(id, (expressions.get(id) ?? new Set()).add(rule));
    }
    expect([...expressions.values()].every(({ size }) => size === 1)).toBe(true);
    expect(expressions.size).toBe(12);
  });
});
