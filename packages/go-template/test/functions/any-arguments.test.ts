import {
  TEMPLATE_FUNCTIONS,
  type TemplateFunctionName,
} from '../../src/syntax/function-arities.ts';
import { describe, expect, it } from 'vitest';
import { FUNCTION_TABLE } from '../../src/functions/function-table.ts';
import {
  type FunctionContext,
  FunctionFailure,
  TemplateTime,
  type TemplateValue,
} from '../../src/values/template-value.ts';
import { anyJson, fc } from '../fast-check.ts';
import { TEST_NOW } from './render-function.ts';

const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
};

const budget = (units: number): FunctionContext => {
  let left = units;
  return { now: () => TEST_NOW, spend: (amount) => (left -= amount) >= 0 };
};

const anyValue: fc.Arbitrary<TemplateValue> = fc.oneof(
  anyJson,
  fc.array(fc.constantFrom<TemplateValue>('a', 1, null), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', '__proto__'), fc.constantFrom<TemplateValue>('x', 1)),
  fc.constantFrom<TemplateValue>(
    new TemplateTime(TEST_NOW),
    new TemplateTime(-62_135_596_800_000, -720),
    'UTC',
    'Europe/Berlin',
    '2006-01-02T15:04:05.000Z07:00',
    '2026-01-02T03:04:05.678+01:00',
    '1h30m',
    '(a|b)*',
    '(',
    '$1${x}$$',
    '^1.2 || >=3.0.0-0',
    '1.2.3-beta+x',
    'http://u:p@[::1]:80/a%20b?c#d',
    '{"a":[1]}',
    'aGVsbG8=',
    9_007_199_254_740_991,
    -1,
    3,
    1e300,
    true,
  ),
);

const argumentsOf = (name: TemplateFunctionName): fc.Arbitrary<TemplateValue[]> => {
  const [fewest, most = fewest + 4] = TEMPLATE_FUNCTIONS[name];
  return fc.array(anyValue, { minLength: fewest, maxLength: most });
};

/** A value of JSON, or a reason. */
const isAnswer = (answer: unknown): boolean =>
  answer instanceof FunctionFailure
    ? typeof answer.text === 'string'
    : answer !== undefined && !(typeof answer === 'number' && !Number.isFinite(answer));

describe('with any arguments', () => {
  it.each(Object.entries(FUNCTION_TABLE))(
    '%s answers with a value or a reason, and changes nothing',
    (name, { call }) => {
      fc.assert(
        fc.property(argumentsOf(name as TemplateFunctionName), (args) => {
          const given = frozen(args);
          expect(isAnswer(call(given, budget(20_000)))).toBe(true);
          // The same again: nothing is remembered between two calls.
          expect(call(given, budget(20_000))).toEqual(call(given, budget(20_000)));
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(Object.entries(FUNCTION_TABLE))('%s answers without any budget', (name, { call }) => {
    fc.assert(
      fc.property(argumentsOf(name as TemplateFunctionName), (args) => {
        expect(isAnswer(call(args, budget(0)))).toBe(true);
      }),
      { numRuns: 6 },
    );
  });
});
