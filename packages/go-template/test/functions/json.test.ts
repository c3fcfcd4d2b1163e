import { describe, expect, it } from 'vitest';
import { failsEach, printsEach, rendered } from './render-function.ts';

describe('JSON', () => {
  printsEach([
    ['{{ toJson "<a&b>\\u2028" }}', '"\\u003ca\\u0026b\\u003e\\u2028"'],
    ['{{ toRawJson "<a&b>\\u2028" }}', '"<a&b>\\u2028"'],
    ['{{ toJson nil }}', 'null'],
    ['{{ toJson 1e21 }}', '1e+21'],
    ['{{ toJson 1e-7 }}', '1e-7'],
    ['{{ toJson 100000000 }}', '100000000'],
    [
      '{{ toPrettyJson (dict "a" (list 1 (dict)) "b" (list)) }}',
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
    ],
    ['{{ fromJson "[1,{\\"a\\":null}]" | toJson }}', '[1,{"a":null}]'],
    ['{{ fromJson "nope" | toJson }}', 'null'],
    ['{{ fromJson "1" | kindOf }}', 'float64'],
    ['{{ mustToRawJson (dict "b" 1 "a" 2) }}', '{"a":2,"b":1}'],
  ]);

  failsEach([
    ['{{ mustFromJson "nope" }}', 'mustFromJson: the text is not JSON'],
    ['{{ fromJson 1 }}', 'fromJson: argument 1 must be a string, but is a number'],
  ]);
});

describe('a text that is not JSON', () => {
  it('leaves the stack traces of other errors as they are', () => {
    const before = Error.stackTraceLimit;
    expect(rendered('{{ mustFromJson "x" }}')).toBe('! mustFromJson: the text is not JSON');
    expect(Error.stackTraceLimit).toBe(before);
    expect(new Error('later').stack).toContain('json.test.ts');
  });
});
