import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTemplate,
  parseTemplate,
  parseText,
  findPlace,
} from '../../src/syntax/parse-template.ts';
import type { TemplateNode } from '../../src/syntax/template.ts';

const nodesOf = (text: string): readonly TemplateNode[] => {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.nodes;
};

describe('what is a template', () => {
  it.each(['{{ .input.a }}', '}} {{', 'a {{ b }} c', '{{ open'])('%j is one', (text) => {
    expect(isTemplate(text)).toBe(true);
  });

  it.each(['', 'plain', 'close }}', '{ not }'])('%j stands for itself', (text) => {
    expect(isTemplate(text)).toBe(false);
    expect(parseText(text)).toEqual({ ok: true, value: undefined });
  });
});

describe('the tree', () => {
  it('of a bare reference holds its steps, its words and its place', () => {
    expect(nodesOf('a {{ .results.my-id["x y"][0] }}')).toEqual([
      { kind: 'text', text: 'a ' },
      {
        kind: 'action',
        pipeline: {
          at: 5,
          targets: [],
          value: {
            kind: 'chain',
            at: 5,
            written: '.results.my-id["x y"][0]',
            root: { kind: 'dot' },
            steps: [
              { kind: 'key', key: 'results' },
              { kind: 'key', key: 'my-id' },
              { kind: 'key', key: 'x y' },
              { kind: 'index', index: 0 },
            ],
          },
        },
      },
    ]);
  });

  it('of a pipeline hands every stage to the next as its last argument', () => {
    expect(nodesOf('{{ 1 | printf "%d" | len }}')).toMatchObject([
      {
        kind: 'action',
        pipeline: {
          value: {
            kind: 'call',
            name: 'len',
            piped: true,
            arguments: [
              {
                kind: 'call',
                name: 'printf',
                piped: true,
                arguments: [
                  { kind: 'literal', value: '%d' },
                  { kind: 'literal', value: 1 },
                ],
              },
            ],
          },
        },
      },
    ]);
  });

  it('gives every variable a slot, and the slot of an ended block to the next one', () => {
    const slots = JSON.stringify(
      nodesOf('{{ $a := 1 }}{{ if 1 }}{{ $b := 2 }}{{ end }}{{ $c := 3 }}{{ $a }}{{ $ }}'),
      (key, value: unknown) => (key === 'at' ? undefined : value),
    );
    expect([...slots.matchAll(/"targets":\[(\d*)\]/g)].map(([, slot]) => slot)).toEqual([
      '1',
      '',
      '2',
      '2',
      '',
      '',
    ]);
    expect([...slots.matchAll(/"slot":(\d)/g)].map(([, slot]) => slot)).toEqual(['1', '0']);
  });

  it('keeps definitions apart from what is rendered', () => {
    const parsed = parseTemplate('{{ define "t" }}x{{ end }}{{ template "t" }}');
    expect(parsed.ok && [...parsed.value.definitions]).toEqual([
      ['t', [{ kind: 'text', text: 'x' }]],
    ]);
    expect(parsed.ok && parsed.value.nodes).toEqual([{ kind: 'template', name: 't', at: 29 }]);
  });

  it('holds data only', () => {
    const parsed = parseTemplate(
      '{{ range $i, $e := .a }}{{ if $e }}{{ print $i | len }}{{ end }}{{ end }}',
    );
    const walk = (value: unknown): void => {
      expect(value).not.toBeTypeOf('function');
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
    };
    walk(parsed);
  });
});

describe('a problem', () => {
  it.each([
    ['{{ foo }}', { line: 1, column: 4, message: 'function "foo" not defined' }],
    [
      'a\r\nb\n  {{ .x | }}',
      { line: 3, column: 11, message: 'missing command in pipeline stage 2' },
    ],
    ['{{ if .x }}\n', { line: 1, column: 4, message: 'unexpected EOF: this block has no {{end}}' }],
    [
      '{{ trunc 5 }}',
      { line: 1, column: 4, message: 'wrong number of args for trunc: want 2 got 1' },
    ],
    ['{{ .x }', { line: 1, column: 7, message: 'unexpected "}" in action' }],
    ['a {{ .x', { line: 1, column: 3, message: 'unclosed action' }],
    ['{{ "{{" }} .x', undefined],
    ['{{ "}}" ', { line: 1, column: 1, message: 'unclosed action' }],
    ['{{ .x.y-z }}', undefined],
    ['{{ trunc 5 .x }}', undefined],
  ])('of %j', (text, problem) => {
    const parsed = parseText(text);
    expect(parsed.ok ? undefined : parsed.error).toEqual(problem);
  });

  it('has a place counted from 1', () => {
    expect(findPlace('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
    expect(findPlace('ab\ncd', 4)).toEqual({ line: 2, column: 2 });
  });
});

describe('any text', () => {
  const words =
    '{{ }} {{- -}} /* */ ( ) | := = , . .. $ $x " ` \' \\ if else end range with define template block break continue print len .a [ ] 0 -1 0x 1e é 😀 - _';
  const part = fc.constantFrom(...words.split(' '), '{{- ', ' -}}', '\n', ' ', '\ud800', '\0');
  const anyText = fc.oneof(
    fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 20 }).map((parts) => `{{ ${parts.join(' ')} }}`),
    fc.string({ unit: 'binary' }),
  );

  it('parses, or has a problem at a place inside of it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseTemplate(text);
        if (parsed.ok) return;
        const lines = text.split('\n');
        const line = lines[parsed.error.line - 1];
        expect(line).toBeDefined();
        expect(parsed.error.column).toBeGreaterThanOrEqual(1);
        expect(parsed.error.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
        expect(parsed.error.message).not.toMatch(/undefined is|cannot read|\n/i);
      }),
      { numRuns: 5000 },
    );
  });

  it('of the largest size is read in linear time', () => {
    const pieces = [
      '(',
      '{{',
      '{{ if 1 }}',
      '{{/*',
      '.a',
      '"',
      '\\',
      ' ',
      '{{ .a.b }}',
      "'",
      '{{ 1',
    ];
    for (const piece of [...pieces, '-', '[', '1_']) {
      const text = `{{ ${piece.repeat(Math.floor(262_000 / piece.length))} }}`;
      const started = performance.now();
      parseTemplate(text);
      expect(performance.now() - started, piece).toBeLessThan(8000);
    }
  });
});
