import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/values/json-value.ts';
import type { RenderOptions } from '../../src/rendering/rendering.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { renderParsed } from './render-parsed.ts';

const limits: RenderOptions = { maxBytes: 100_000, now: () => 0 };

const render = (value: JsonValue, input: JsonValue = {}, given: Partial<RenderOptions> = {}) =>
  renderParsed(
    parseValue(value),
    { input, results: {}, vars: {}, context: {} },
    { ...limits, ...given },
  );

const nestedList = (depth: number): JsonValue => {
  let value: JsonValue = 'deep';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('bytes', () => {
  it('refuses a text that grows over the limit', () => {
    expect(render('{{ range 1001 }}{{ $.input }}{{ end }}', 'x'.repeat(100))).toEqual({
      ok: false,
      error: 'line 1, column 20: the rendered text is larger than allowed',
    });
  });

  it('takes a text that just fits', () => {
    expect(render('{{ range 1000 }}{{ $.input }}{{ end }}', 'x'.repeat(100))).toEqual({
      ok: true,
      value: 'x'.repeat(100_000),
    });
  });

  it('counts in UTF-8', () => {
    const ok = (count: number): boolean => render('a{{ .input }}', 'é'.repeat(count)).ok;
    expect([ok(49_999), ok(50_000)]).toEqual([true, false]);
  });

  it('refuses a bare reference to something larger than the limit', () => {
    expect(render('{{ .input }}', ['x'.repeat(60_000), 'y'.repeat(60_000)])).toEqual({
      ok: false,
      error: 'line 1, column 4: the rendered value is larger than allowed',
    });
  });

  it('counts all templates of one value together', () => {
    const large = 'x'.repeat(40_000);
    expect(render(['{{ .input }}', '{{ .input }}'], large).ok).toBe(true);
    expect(render({ a: '{{ .input }}', b: ['{{ .input }}', '{{ .input }}'] }, large)).toEqual({
      ok: false,
      error: '.b[1]: line 1, column 4: the rendered value is larger than allowed',
    });
  });

  it.each([
    '{{ $x := .input }}{{ range 40 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}',
    '{{ range 100000 }}{{ $y := html $.input }}{{ end }}',
    '{{ printf "%9999999d" 1 }}',
    '{{ printf "%*s" 9999999 "x" }}',
    '{{ $l := slice .input }}{{ range 100000 }}{{ $l = slice $.input }}{{ end }}',
    '{{ range 900000 }}{{ $x := index $.input 3 }}{{ end }}',
  ])('ends %s', (template) => {
    const started = performance.now();
    expect(render(template, 'é'.repeat(2000)).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a large map', () => {
  const large = Object.fromEntries(
    Array.from({ length: 50_000 }, (_unused, at) => [`key-${at}`, at]),
  );

  it.each([
    '{{ range 100000 }}{{ range $.input }}{{ break }}{{ end }}{{ end }}',
    '{{ range 100000 }}{{ if $.input }}{{ end }}{{ end }}',
    '{{ range 100000 }}{{ $x := len $.input }}{{ end }}',
    '{{ range 100000 }}{{ $x := and $.input 1 }}{{ end }}',
  ])('does not hold a loop up: %s', (template) => {
    const started = performance.now();
    render(template, large);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('steps', () => {
  const few = { maxSteps: 1_000 };
  const many = (text: string): string => text.repeat(10_000);
  const nest = '{{ $v := 1 }}{{ range 50 }}{{ $v = dict "a" $v }}{{ end }}';

  it.each([
    ['operands', `{{ eq 1${many(' 2')} }}`],
    ['operands of or', `{{ or 0${many(' 0')} }}`],
    ['keys of a map', `{{ dict${many(' "a" 1')} | len }}`],
    ['keys of chains', `${nest}{{ range 200 }}{{ $x := $v${'.a'.repeat(50)} }}{{ end }}`],
  ])('count %s, many at a time', (_what, template) => {
    expect(render(template, {}, few)).toMatchObject({ ok: false });
    expect(render(template, {}, { maxSteps: 20_000 }).ok).toBe(true);
  });

  it('are those of all templates of one value together', () => {
    const loop = '{{ range 100 }}{{ end }}';
    expect(render([loop, loop], {}, { maxSteps: 250 }).ok).toBe(true);
    expect(render([loop, loop, loop], {}, { maxSteps: 250 })).toEqual({
      ok: false,
      error: '[2]: line 1, column 10: the template takes more steps than allowed',
    });
  });

  it('ends a loop in a loop', () => {
    expect(render('{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}').ok).toBe(false);
  });

  it('runs as many steps as the limits allow', () => {
    const template = '{{ range 10 }}{{ . }}{{ end }}';
    expect(render(template, {}, { maxSteps: 30 })).toEqual({ ok: true, value: '0123456789' });
    expect(render(template, {}, { maxSteps: 20 }).ok).toBe(false);
  });
});

describe('depth', () => {
  it.each([
    ['parentheses', `{{ ${'('.repeat(10_000)}1${')'.repeat(10_000)} }}`],
    ['opening parentheses', `{{ ${'('.repeat(100_000)} }}`],
    ['blocks', `${'{{ if 1 }}'.repeat(10_000)}${'{{ end }}'.repeat(10_000)}`],
    ['stages', `{{ 1${' | print'.repeat(10_000)} }}`],
    ['definitions', `${'{{ block "a" 1 }}'.repeat(10_000)}${'{{ end }}'.repeat(10_000)}`],
  ])('refuses 10,000 %s inside one another', (_what, template) => {
    const rendered = render(template);
    expect(rendered.ok ? '' : rendered.error).toMatch(
      /^line 1, column \d+: nested more than 100 levels deep$/,
    );
  });

  it.each([
    ['parentheses', `{{ ${'('.repeat(100)}1${')'.repeat(100)} }}`, 1],
    ['blocks', `${'{{ if 1 }}'.repeat(100)}x${'{{ end }}'.repeat(100)}`, 'x'],
    ['stages', `{{ 1${' | print'.repeat(100)} }}`, '1'],
    ['else ifs', `{{ if 0 }}${'{{ else if 0 }}'.repeat(10_000)}{{ else }}x{{ end }}`, 'x'],
  ])('takes many %s', (_what, template, value) => {
    expect(render(template)).toEqual({ ok: true, value });
  });

  it('ends templates that use themselves, however much stands around', () => {
    const open = '{{ if 1 }}'.repeat(90);
    const body = `${open}{{ template "t" ${'('.repeat(90)}.${')'.repeat(90)} }}${'{{ end }}'.repeat(90)}`;
    expect(render(`{{ define "t" }}${body}{{ end }}{{ template "t" . }}`).ok).toBe(false);
  });

  it('refuses values nested too deep, printed or passed on', () => {
    const text = 'the value is nested more than 1000 levels deep';
    expect(render('{{ .input }}', nestedList(1001))).toEqual({
      ok: false,
      error: `line 1, column 4: ${text}`,
    });
    expect(render('x{{ .input }}', nestedList(100_000))).toEqual({
      ok: false,
      error: `line 1, column 5: ${text}`,
    });
    expect(render(nestedList(100_000))).toMatchObject({ ok: false });
  });

  it('takes values that are nested less deep', () => {
    const value = nestedList(999);
    expect(render('{{ .input }}', value)).toEqual({ ok: true, value });
  });

  it('refuses a text longer than a template may be', () => {
    expect(render(`{{ 1 }}${' '.repeat(262_144)}`)).toEqual({
      ok: false,
      error: 'line 1, column 1: template has more than 262144 characters',
    });
  });
});

describe('numbers that JSON has not', () => {
  const input = JSON.parse('1e999') as JsonValue;

  it.each(['{{ .input }}', 'x{{ .input }}', '{{ list .input }}', '{{ print .input }}'])(
    'leave no template: %s',
    (template) => {
      const rendered = render(template, input);
      expect(rendered.ok ? '' : rendered.error).toMatch(/JSON has no number Infinity$/);
    },
  );

  it('are told from the largest that it has', () => {
    expect(render('{{ .input }}', 1.7976931348623157e308)).toEqual({
      ok: true,
      value: 1.7976931348623157e308,
    });
  });
});
