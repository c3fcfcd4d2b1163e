import type { TemplateTable } from './template-case.ts';

export const REFERENCES: TemplateTable = {
  about: 'references',
  input: {
    name: 'web',
    count: 3,
    ratio: 0.25,
    big: 1_234_567_890_123,
    small: 1e-7,
    on: true,
    off: false,
    nothing: null,
    empty: '',
    list: [1, 'b', [true]],
    map: { b: 2, a: { 'c d': 'deep' } },
    'my-id': { 'x-y': 'hyphens' },
    '1st': 'digit',
    größe: 'umlaut',
    'a.b': 'dot in key',
    html: '<b>&"\'',
    braces: '{{ .input.name }}',
  },
  cases: [
    { template: 'plain', gives: 'plain' },
    { template: '', gives: '' },
    { template: 'only {{ here', fails: 'line 1, column 6: unclosed action' },
    { template: 'only {{ "{{" }} here', gives: 'only {{ here' },
    { template: '{{ "{{" }}', gives: '{{' },
    { template: 'only }} here', gives: 'only }} here' },
    { template: '{{ .input.name }}', gives: 'web' },
    { template: '{{.input.name}}', gives: 'web' },
    { template: '{{ .input.count }}', gives: 3 },
    { template: '{{ .input.ratio }}', gives: 0.25 },
    { template: '{{ .input.big }}', gives: 1_234_567_890_123 },
    { template: '{{ .input.on }}', gives: true },
    { template: '{{ .input.off }}', gives: false },
    { template: '{{ .input.nothing }}', gives: null },
    { template: '{{ .input.empty }}', gives: '' },
    { template: '{{ .input.list }}', gives: [1, 'b', [true]] },
    { template: '{{ .input.map }}', gives: { b: 2, a: { 'c d': 'deep' } } },
    { template: '{{ .input.my-id.x-y }}', gives: 'hyphens' },
    { template: '{{ .input.1st }}', gives: 'digit' },
    { template: '{{ .input.größe }}', gives: 'umlaut' },
    { template: '{{ .input["a.b"] }}', gives: 'dot in key' },
    { template: "{{ .input['a.b'] }}", gives: 'dot in key' },
    { template: '{{ .input.map.a["c d"] }}', gives: 'deep' },
    { template: '{{ .input.list[0] }}', gives: 1 },
    { template: '{{ .input.list[2][0] }}', gives: true },
    { template: '{{ .["input"].count }}', gives: 3 },
    { template: '{{ $.input.count }}', gives: 3 },
    { template: '{{ $["input"].list[1] }}', gives: 'b' },
    { template: '{{ (index .input.list 2)[0] }}', gives: true },
    { template: '{{ (.input.map).b }}', gives: 2 },
    { template: '{{ .input.html }}', gives: '<b>&"\'' },
    { template: '{{ .input.braces }}', gives: '{{ .input.name }}' },
    { template: 'n={{ .input.count }}', gives: 'n=3' },
    { template: '{{ .input.count }} ', gives: '3 ' },
    { template: '{{ .input.count }}{{ .input.count }}', gives: '33' },
    { template: 'big={{ .input.big }}', gives: 'big=1234567890123' },
    { template: 'small={{ .input.small }}', gives: 'small=1e-7' },
    { template: 'on={{ .input.on }}', gives: 'on=true' },
    { template: 'nothing={{ .input.nothing }}', gives: 'nothing=null' },
    { template: 'list={{ .input.list }}', gives: 'list=[1,"b",[true]]' },
    { template: 'map={{ .input.map }}', gives: 'map={"b":2,"a":{"c d":"deep"}}' },
    { template: '{{ .input.html }}!', gives: '<b>&"\'!' },
    {
      template: '{{ .input.nmae }}',
      fails:
        'line 1, column 4: path \'.input.nmae\' not found: map has no entry for key "nmae"; nearest keys: "name", "map", "small"',
    },
    {
      template: 'a\nb {{ .input.counts }}',
      fails:
        'line 2, column 6: path \'.input.counts\' not found: map has no entry for key "counts"; nearest keys: "count", "on", "1st"',
    },
    {
      template: '{{ .inptu }}',
      fails:
        'line 1, column 4: path \'.inptu\' not found: map has no entry for key "inptu"; nearest keys: "input", "vars", "context"',
    },
    {
      template: '{{ .vars.item }}',
      fails:
        'line 1, column 4: path \'.vars.item\' not found: map has no entry for key "item"; it has no keys',
    },
    {
      template: '{{ .input.name.first }}',
      fails: "line 1, column 4: cannot access 'first' in path '.input.name.first': not an object",
    },
    {
      template: '{{ .input.nothing.x }}',
      fails: "line 1, column 4: cannot access 'x' in path '.input.nothing.x': not an object",
    },
    {
      template: '{{ .input.list.first }}',
      fails: "line 1, column 4: cannot access 'first' in path '.input.list.first': not an object",
    },
    {
      template: '{{ .input.list.length }}',
      fails: "line 1, column 4: cannot access 'length' in path '.input.list.length': not an object",
    },
    {
      template: '{{ .input.map[0] }}',
      fails: "line 1, column 4: cannot index '[0]' in path '.input.map[0]': not an array",
    },
    {
      template: '{{ .input.list[3] }}',
      fails: "line 1, column 4: index 3 out of range in path '.input.list[3]'",
    },
    {
      template: '{{ .input.map.constructor }}',
      fails:
        'line 1, column 4: path \'.input.map.constructor\' not found: map has no entry for key "constructor"; nearest keys: "a", "b"',
    },
    {
      template: '{{ .input.map.__proto__ }}',
      fails:
        'line 1, column 4: path \'.input.map.__proto__\' not found: map has no entry for key "__proto__"; nearest keys: "a", "b"',
    },
    {
      template: '{{ .input.map.toString }}',
      fails:
        'line 1, column 4: path \'.input.map.toString\' not found: map has no entry for key "toString"; nearest keys: "a", "b"',
    },
    {
      template: '{{ .input.name.length }}',
      fails: "line 1, column 4: cannot access 'length' in path '.input.name.length': not an object",
    },
  ],
};
