import { describe, expect, it } from 'vitest';
import type { JsonMap, JsonValue } from '../../src/values/json-value.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { renderParsed } from './render-parsed.ts';
import { anyJson, fc, test } from '../fast-check.ts';

const limits = { maxBytes: 1_000_000, now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 600) };

const data: JsonMap = {
  input: { name: 'web', n: 3, list: ['a', 'b'] },
  results: { fetch: { items: [{ id: 7 }], total: 1 }, 'my-step': 'done' },
  vars: { item: 'x', item_index: 0 },
  context: { fetch: { items: [{ id: 7 }], total: 1 }, 'my-step': 'done' },
};

const render = (value: JsonValue, given: JsonMap = data) =>
  renderParsed(parseValue(value), given, limits);

const resolveValue = (value: JsonValue): JsonValue => {
  const rendered = render(value);
  return rendered.ok ? rendered.value : `refused: ${rendered.error}`;
};

describe('templates in values of any JSON type', () => {
  it('renders texts inside objects and lists at any depth', () => {
    expect(
      resolveValue({
        plain: 'text',
        number: 5,
        none: null,
        name: '{{ .input.name }}',
        list: [1, '{{ .input.n }}', { deep: 'n={{ .input.n }}' }],
      }),
    ).toEqual({
      plain: 'text',
      number: 5,
      none: null,
      name: 'web',
      list: [1, 3, { deep: 'n=3' }],
    });
  });

  it('keeps the type of one bare reference or one action wherever it stands', () => {
    expect(
      resolveValue({
        list: '{{ .input.list }}',
        inner: ['{{ .results.fetch.items[0] }}'],
        length: '{{ len .input.list }}',
        test: '{{ eq .input.n 3 }}',
      }),
    ).toEqual({ list: ['a', 'b'], inner: [{ id: 7 }], length: 2, test: true });
  });

  it('makes a string when text stands around', () => {
    expect(
      resolveValue(['{{ .input.n }}!', ' {{ len .input.list }}', '{{ if true }}5{{ end }}']),
    ).toEqual(['3!', ' 2', '5']);
  });

  it('renders no keys', () => {
    expect(resolveValue({ '{{ .input.name }}': '{{ .input.name }}' })).toEqual({
      '{{ .input.name }}': 'web',
    });
  });

  it('leaves a value without templates as it is', () => {
    const value = { a: ['{ not }', '}}'], b: { c: 1 } };
    expect(resolveValue(value)).toBe(value);
  });

  it('refuses an action that is opened and not closed', () => {
    expect(resolveValue({ a: ['{{'] })).toBe('refused: .a[0]: line 1, column 1: unclosed action');
    expect(resolveValue({ a: ['{{ "{{" }} open'] })).toEqual({ a: ['{{ open'] });
  });

  it('keeps every key its own, even __proto__', () => {
    const value = JSON.parse(
      '{"__proto__":"{{ .input.n }}","constructor":"{{ .input.n }}"}',
    ) as JsonValue;
    const rendered = resolveValue(value);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":3,"constructor":3}');
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
  });
});

describe('a missing key', () => {
  it('refuses a missing key, named with its whole reference and the nearest keys', () => {
    expect(render({ a: [{ b: '{{ .results.fetch.itmes }}' }] })).toEqual({
      ok: false,
      error:
        '.a[0].b: line 1, column 4: path \'.results.fetch.itmes\' not found: map has no entry for key "itmes"; nearest keys: "items", "total"',
    });
  });

  it('refuses it inside text, conditions and loops too', () => {
    for (const template of [
      'x {{ .input.none }}',
      '{{ if .input.none }}x{{ end }}',
      '{{ range .input.none }}x{{ end }}',
      '{{ with .results.none }}x{{ end }}',
      '{{ $x := .vars.none }}',
      '{{ index .results "none" }}',
    ]) {
      expect(render(template).ok, template).toBe(false);
    }
  });

  it('renders a key that is there, whatever it holds', () => {
    expect(render('{{ .input.none }}', { ...data, input: { none: null } })).toEqual({
      ok: true,
      value: null,
    });
    expect(render('{{ .input.none }}', { ...data, input: { none: '' } })).toEqual({
      ok: true,
      value: '',
    });
  });
});

describe('a missing key inside text', () => {
  it('is a refusal, never an empty text', () => {
    expect(render('a{{ .input.none }}b').ok).toBe(false);
  });

  it('is no refusal where the key is there', () => {
    expect(resolveValue('a{{ .input.name }}b')).toBe('awebb');
  });
});

describe('the roots', () => {
  it('are input, results, vars and context', () => {
    expect(
      resolveValue([
        '{{ .input.name }}',
        '{{ .results.fetch.total }}',
        '{{ .vars.item }}{{ .vars.item_index }}',
        '{{ .context.fetch.total }}',
        '{{ .results.my-step }}',
      ]),
    ).toEqual(['web', 1, 'x0', 1, 'done']);
  });

  it('are not more than that', () => {
    expect(resolveValue('{{ .result }}')).toMatch(/^refused: .*no entry for key "result"/);
    expect(resolveValue('{{ .env }}')).toMatch(/^refused: .*no entry for key "env"/);
  });

  it('include result where there is one', () => {
    expect(render('{{ .result.ok }}', { ...data, result: { ok: true } })).toEqual({
      ok: true,
      value: true,
    });
  });
});

describe('what leaves a template', () => {
  it('does not change with the results of later steps', () => {
    const results: Record<string, JsonValue> = { first: 1 };
    const live = { ...data, results, context: results };
    const whole = render(['{{ .results }}', '{{ list .context }}', '{{ . }}'], live);
    results['second'] = 2;
    expect(whole).toMatchObject({
      ok: true,
      value: [{ first: 1 }, [{ first: 1 }], { results: { first: 1 } }],
    });
    expect(render('{{ .results }}', live)).toEqual({ ok: true, value: { first: 1, second: 2 } });
  });

  it('holds times as their texts', () => {
    expect(
      resolveValue({ now: '{{ now }}', list: '{{ list now 1 }}', text: 'at {{ now }}' }),
    ).toEqual({
      now: '2026-01-02T03:04:05.6Z',
      list: ['2026-01-02T03:04:05.6Z', 1],
      text: 'at 2026-01-02T03:04:05.6Z',
    });
  });
});

describe('any JSON value', () => {
  test('comes back equal through a bare reference', anyJson, (value) => {
    const given = { ...data, input: { value, nested: { list: [value] } } };
    for (const template of [
      '{{ .input.value }}',
      '{{ .input.nested.list[0] }}',
      '{{ $.input.value }}',
      '{{- (.input.value) -}}',
    ]) {
      expect(render({ at: template }, given)).toEqual({ ok: true, value: { at: value } });
    }
  });

  test(
    'comes back equal by any key',
    fc.tuple(fc.string({ unit: 'grapheme' }), anyJson),
    ([key, value]) => {
      const given = { ...data, input: Object.fromEntries([[key, value]]) };
      expect(render(`{{ .input[${JSON.stringify(key).replaceAll('\\/', '/')}] }}`, given)).toEqual({
        ok: true,
        value,
      });
    },
  );

  test('without templates renders to itself', anyJson, (value) => {
    fc.pre(!JSON.stringify(value).includes('{{'));
    expect(render(value)).toEqual({ ok: true, value });
  });

  test('prints inside text as JSON does', anyJson, (value) => {
    fc.pre(typeof value !== 'string');
    expect(render('={{ .input }}', { ...data, input: value })).toEqual({
      ok: true,
      value: `=${JSON.stringify(value)}`,
    });
  });
});
