import { describe, expect, it } from 'vitest';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { readCases } from '../read-cases.ts';
import { renderParsed } from '../rendering/render-parsed.ts';
import { rendered } from './render-function.ts';

describe.each(readCases(new URL('functions.txt', import.meta.url)))('$about', ({ cases }) => {
  it.each(cases)('%s => %s', (template, printed) => {
    const text = printed.startsWith('"') ? (JSON.parse(printed) as string) : printed;
    expect(rendered(template)).toBe(text);
  });
});

describe('updates of a map', () => {
  it('leave the data of the run as they are', () => {
    const input = { map: { a: 1 } };
    const data = { input, results: {}, vars: {}, context: {} };
    const limits = { maxBytes: 1000, now: () => 0 };
    const text = '{{ $m := .input.map }}{{ $_ := set $m "b" 2 }}{{ len $m }} {{ len .input.map }}';
    expect(renderParsed(parseValue(text), data, limits)).toEqual({ ok: true, value: '2 1' });
    expect(input).toEqual({ map: { a: 1 } });
  });

  it('count against the budget of the rendering', () => {
    const loop = '{{ $d := dict }}{{ range until 1000 }}{{ $_ := set $d (toString .) 1 }}{{ end }}';
    expect(rendered(loop, 10_000)).toBe('! set: the rendering takes more than it is allowed to');
  });
});

it('leaves the stack traces of other errors as they are after a text that is not JSON', () => {
  const before = Error.stackTraceLimit;
  expect(rendered('{{ mustFromJson "x" }}')).toBe('! mustFromJson: the text is not JSON');
  expect(Error.stackTraceLimit).toBe(before);
  expect(new Error('later').stack).toContain('functions.test.ts');
});
