import type { TemplateTable } from './template-case.ts';

export const CONTROL: TemplateTable = {
  about: 'if, with, range, variables and templates',
  input: {
    yes: true,
    no: false,
    zero: 0,
    one: 1,
    empty: '',
    text: 'text',
    nothing: null,
    none: [],
    bare: {},
    list: ['a', 'b', 'c'],
    map: { z: 1, a: 2, M: 3 },
    nested: [{ tags: ['x', 'y'] }, { tags: [] }, { tags: ['z'] }],
    tree: {
      name: 'root',
      children: [
        { name: 'left', children: [] },
        { name: 'right', children: [] },
      ],
    },
  },
  cases: [
    { template: '{{ if .input.yes }}T{{ end }}', gives: 'T' },
    { template: '{{ if .input.no }}T{{ end }}', gives: '' },
    { template: '{{ if .input.no }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.zero }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.one }}T{{ else }}F{{ end }}', gives: 'T' },
    { template: '{{ if .input.empty }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.nothing }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.none }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.bare }}T{{ else }}F{{ end }}', gives: 'F' },
    { template: '{{ if .input.map }}T{{ else }}F{{ end }}', gives: 'T' },
    { template: '{{ if .input.no }}1{{ else if .input.yes }}2{{ else }}3{{ end }}', gives: '2' },
    { template: '{{ if .input.no }}1{{ else if .input.zero }}2{{ else }}3{{ end }}', gives: '3' },
    { template: '{{ if $x := .input.text }}{{ $x }}{{ end }}', gives: 'text' },
    { template: '{{ if $x := .input.no }}{{ else }}{{ $x }}{{ end }}', gives: 'false' },
    { template: '{{ if not .input.no }}T{{ end }}', gives: 'T' },
    { template: '{{ if true }}{{ .input.one }}{{ end }}', gives: '1' },
    { template: '{{ with .input.text }}[{{ . }}]{{ end }}', gives: '[text]' },
    { template: '{{ with .input.empty }}[{{ . }}]{{ else }}none{{ end }}', gives: 'none' },
    { template: '{{ with .input.no }}1{{ else with .input.text }}{{ . }}{{ end }}', gives: 'text' },
    {
      template: '{{ with .input.no }}1{{ else with .input.zero }}2{{ else }}3{{ end }}',
      gives: '3',
    },
    { template: '{{ with $m := .input.map }}{{ $m.a }}{{ .z }}{{ end }}', gives: '21' },
    { template: '{{ with .input.map }}{{ $.input.one }}{{ end }}', gives: '1' },
    { template: '{{ range .input.list }}{{ . }},{{ end }}', gives: 'a,b,c,' },
    { template: '{{ range $e := .input.list }}{{ $e }}{{ end }}', gives: 'abc' },
    { template: '{{ range $i, $e := .input.list }}{{ $i }}{{ $e }}{{ end }}', gives: '0a1b2c' },
    { template: '{{ range .input.map }}{{ . }}{{ end }}', gives: '321' },
    {
      template: '{{ range $k, $v := .input.map }}{{ $k }}={{ $v }} {{ end }}',
      gives: 'M=3 a=2 z=1 ',
    },
    { template: '{{ range .input.none }}x{{ else }}empty{{ end }}', gives: 'empty' },
    { template: '{{ range .input.bare }}x{{ else }}empty{{ end }}', gives: 'empty' },
    { template: '{{ range .input.nothing }}x{{ else }}empty{{ end }}', gives: 'empty' },
    { template: '{{ range .input.list }}x{{ else }}empty{{ end }}', gives: 'xxx' },
    { template: '{{ range 3 }}{{ . }}{{ end }}', gives: '012' },
    { template: '{{ range $i := 2 }}{{ $i }}{{ end }}', gives: '01' },
    {
      template: '{{ range .input.list }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}',
      gives: 'a',
    },
    {
      template: '{{ range .input.list }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}',
      gives: 'ac',
    },
    {
      template: '{{ range .input.nested }}{{ range .tags }}{{ . }}{{ else }}-{{ end }}{{ end }}',
      gives: 'xy-z',
    },
    {
      template: '{{ range .input.nested }}{{ range .tags }}{{ break }}{{ end }}.{{ end }}',
      gives: '...',
    },
    { template: '{{ range .input.list }}{{ $.input.one }}{{ end }}', gives: '111' },
    { template: '{{ $n := 0 }}{{ range .input.list }}{{ $n = . }}{{ end }}{{ $n }}', gives: 'c' },
    { template: '{{ $n := 1 }}{{ if true }}{{ $n := 2 }}{{ $n }}{{ end }}{{ $n }}', gives: '21' },
    { template: '{{ $n := 1 }}{{ if true }}{{ $n = 2 }}{{ end }}{{ $n }}', gives: '2' },
    { template: '{{ $n := 1 }}{{ $n := print $n "x" }}{{ $n }}', gives: '1x' },
    { template: '{{ $x := .input.map }}{{ $x.a }}', gives: '2' },
    { template: '{{ $x := .input.list }}', gives: '' },
    {
      template:
        '{{ $i := 0 }}{{ $e := 0 }}{{ range $i, $e = .input.list }}{{ end }}{{ $i }}{{ $e }}',
      gives: '2c',
    },
    {
      template: '{{ range $i, $e := .input.list }}{{ if $i }}, {{ end }}{{ $e }}{{ end }}',
      gives: 'a, b, c',
    },
    {
      template: '{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .input.text }}',
      gives: '<text>',
    },
    {
      template: '{{ template "t" .input.text }}{{ define "t" }}<{{ . }}>{{ end }}',
      gives: '<text>',
    },
    { template: '{{ define "t" }}{{ . }}{{ end }}{{ template "t" }}', gives: 'null' },
    {
      template:
        '{{ define "t" }}{{ $ }}{{ end }}{{ with .input.one }}{{ template "t" . }}{{ end }}',
      gives: '1',
    },
    { template: '{{ block "b" .input.list }}{{ range . }}{{ . }}{{ end }}{{ end }}', gives: 'abc' },
    {
      template: '{{ block "b" .input.one }}[{{ . }}]{{ end }}{{ template "b" 2 }}',
      gives: '[1][2]',
    },
    {
      template:
        '{{ define "node" }}{{ .name }}{{ range .children }}({{ template "node" . }}){{ end }}{{ end }}{{ template "node" .input.tree }}',
      gives: 'root(left)(right)',
    },
    {
      template: '{{ define "loop" }}{{ template "loop" . }}{{ end }}{{ template "loop" . }}',
      fails: 'line 1, column 23: more than 400 blocks and templates inside one another',
    },
    {
      template: '{{ range .input.text }}x{{ end }}',
      fails: "line 1, column 10: range can't iterate over a string",
    },
    {
      template: '{{ range .input.yes }}x{{ end }}',
      fails: "line 1, column 10: range can't iterate over a boolean",
    },
    {
      template: '{{ range 1.5 }}x{{ end }}',
      fails: "line 1, column 10: range can't iterate over 1.5",
    },
    {
      template: '{{ range .input.nested }}{{ .tag }}{{ end }}',
      fails:
        'line 1, column 29: path \'.tag\' not found: map has no entry for key "tag"; nearest key: "tags"',
    },
    {
      template: '{{ range .input.list }}{{ .input.one }}{{ end }}',
      fails:
        "line 1, column 27: cannot access 'input' in path '.input.one': not an object; from inside range and with it is $.input",
    },
    {
      template: '{{ with .input.map }}{{ .input.one }}{{ end }}',
      fails:
        'line 1, column 25: path \'.input.one\' not found: map has no entry for key "input"; nearest keys: "M", "a", "z"; from inside range and with it is $.input',
    },
    {
      template: '{{ range 2000000 }}{{ end }}',
      fails: 'line 1, column 10: the template takes more steps than allowed',
    },
    {
      template: '{{ define "a" }}x{{ end }}{{ with .input.one }}{{ template "a" .b }}{{ end }}',
      fails: "line 1, column 64: cannot access 'b' in path '.b': not an object",
    },
  ],
};
