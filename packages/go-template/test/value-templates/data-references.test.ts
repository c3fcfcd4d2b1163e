import { expect, it } from 'vitest';
import { listDataReferences, parseValue, type JsonValue } from '../../src/index.ts';

const referencesOf = (value: JsonValue) => {
  const parsed = parseValue(value);
  if (!parsed.ok) throw new Error(parsed.error);
  return listDataReferences([parsed.value]);
};

it.each<[JsonValue, readonly (readonly string[])[]]>([
  ['plain', []],
  ['{{ upper "a" }}', []],
  ['{{ .input.name }}', [['input', 'name']]],
  ['{{ .results.pods.items[0].name }} {{ $.results.pods.total }}', [['results', 'pods']]],
  ['{{ .results }}{{ .results.pods }}', [['results']]],
  ['{{ index .results "pods" }}', [['results']]],
  ['{{ (index .results.pods 0).name | quote }}', [['results', 'pods']]],
  [
    '{{ range .results.pods }}{{ . }}{{ .name }}{{ $.input.a }}{{ end }}',
    [
      ['results', 'pods'],
      ['input', 'a'],
    ],
  ],
  [
    '{{ with .vars.item }}{{ .id }}{{ else }}{{ .input.b }}{{ end }}',
    [
      ['vars', 'item'],
      ['input', 'b'],
    ],
  ],
  ['{{ $x := .input.a }}{{ $x.b.c }}', [['input', 'a']]],
  ['{{ define "t" }}{{ . }}{{ $ }}{{ end }}{{ template "t" .input.a }}', [['input', 'a']]],
  [
    { a: '{{ .input.a }}', b: ['{{ if .vars.x }}1{{ end }}'] },
    [
      ['input', 'a'],
      ['vars', 'x'],
    ],
  ],
])('%j refers to %j', (value, references) => {
  expect(referencesOf(value)).toEqual(references);
});

it.each([
  '{{ . }}',
  '{{ $ }}',
  '{{ toJson . }}',
  '{{ range . }}{{ end }}',
  '{{ with 1 }}{{ $ }}{{ end }}',
  '{{ template "t" . }}{{ define "t" }}{{ end }}',
  '{{ $x := . }}{{ $x.a }}',
])('%s refers to everything', (template) => {
  expect(referencesOf(template)).toBeUndefined();
});
