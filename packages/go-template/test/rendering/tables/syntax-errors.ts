import type { TemplateTable } from './template-case.ts';

export const SYNTAX_ERRORS: TemplateTable = {
  about: 'what is no template',
  input: {},
  cases: [
    { template: '}} {{', fails: 'line 1, column 4: unclosed action' },
    { template: '{{ }}', fails: 'line 1, column 4: missing value for command' },
    { template: '{{}}', fails: 'line 1, column 3: missing value for command' },
    { template: '{{ foo }}', fails: 'line 1, column 4: function "foo" not defined' },
    { template: '{{ env "HOME" }}', fails: 'line 1, column 4: function "env" not defined' },
    { template: '{{ call .input.f }}', fails: 'line 1, column 4: function "call" not defined' },
    {
      template: '{{ constructor }}',
      fails: 'line 1, column 4: function "constructor" not defined',
    },
    { template: '{{ __proto__ }}', fails: 'line 1, column 4: function "__proto__" not defined' },
    {
      template: '{{ toString }}',
      fails: 'line 1, column 4: wrong number of args for toString: want 1 got 0',
    },
    { template: '{{ $x }}', fails: 'line 1, column 4: undefined variable "$x"' },
    { template: '{{ $x = 1 }}', fails: 'line 1, column 4: undefined variable "$x"' },
    { template: '{{ $x := $x }}', fails: 'line 1, column 10: undefined variable "$x"' },
    {
      template: '{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}',
      fails: 'line 1, column 39: undefined variable "$x"',
    },
    {
      template: '{{ $_ := set .input "a" 1 }}',
      fails:
        'line 1, column 10: set changes only a map in a variable: assign its result, as in {{ $map := set ... }}',
    },
    {
      template: '{{ $m := dict "n" dict }}{{ $_ := dict "a" 1 | merge $m.n }}',
      fails:
        'line 1, column 48: merge changes only a map in a variable: assign its result, as in {{ $map := merge ... }}',
    },
    {
      template: '{{ $_ := unset $ "input" }}',
      fails:
        'line 1, column 10: unset changes only a map in a variable: assign its result, as in {{ $map := unset ... }}',
    },
    { template: '{{ $x := }}', fails: 'line 1, column 10: missing value for command' },
    { template: '{{ $x, $y := .input }}', fails: 'line 1, column 6: unexpected "," in pipeline' },
    {
      template: '{{ range $a, $b, $c := . }}{{ end }}',
      fails: 'line 1, column 16: too many declarations in range',
    },
    { template: '{{ .input | }}', fails: 'line 1, column 13: missing command in pipeline stage 2' },
    { template: '{{ | len }}', fails: 'line 1, column 4: missing value for command' },
    {
      template: '{{ 1 | 2 }}',
      fails: 'line 1, column 8: non executable command in pipeline stage 2',
    },
    {
      template: '{{ "a" | .input }}',
      fails: 'line 1, column 10: non executable command in pipeline stage 2',
    },
    {
      template: '{{ .input 3 }}',
      fails: 'line 1, column 4: .input is no function and takes no arguments',
    },
    { template: '{{ 3 4 }}', fails: 'line 1, column 4: "3" is no function and takes no arguments' },
    { template: '{{ nil }}', fails: 'line 1, column 4: nil is not a command' },
    {
      template: '{{ len }}',
      fails: 'line 1, column 4: wrong number of args for len: want 1 got 0',
    },
    {
      template: '{{ len 1 2 }}',
      fails: 'line 1, column 4: wrong number of args for len: want 1 got 2',
    },
    {
      template: '{{ eq 1 }}',
      fails: 'line 1, column 4: wrong number of args for eq: want at least 2 got 1',
    },
    {
      template: '{{ 1 | ne 1 2 }}',
      fails: 'line 1, column 8: wrong number of args for ne: want 2 got 3',
    },
    {
      template: '{{ slice . 1 2 3 4 }}',
      fails: 'line 1, column 4: wrong number of args for slice: want between 1 and 4 got 5',
    },
    {
      template: '{{ print len }}',
      fails: 'line 1, column 10: wrong number of args for len: want 1 got 0',
    },
    { template: '{{ (1 }}', fails: 'line 1, column 4: unclosed left paren' },
    { template: '{{ 1) }}', fails: 'line 1, column 5: unexpected ")" in command' },
    { template: '{{ () }}', fails: 'line 1, column 5: missing value for command' },
    { template: '{{ (1)(2) }}', fails: 'line 1, column 7: unexpected "(" in operand' },
    { template: '{{ "a""b" }}', fails: 'line 1, column 7: unexpected "…" in operand' },
    { template: '{{ "a }}', fails: 'line 1, column 4: unterminated quoted string' },
    { template: '{{ "a\n" }}', fails: 'line 1, column 4: unterminated quoted string' },
    { template: '{{ `a }}', fails: 'line 1, column 4: unterminated raw quoted string' },
    { template: '{{ "\\q" }}', fails: 'line 1, column 4: invalid escape in quoted string' },
    { template: '{{ "\\ud800" }}', fails: 'line 1, column 4: invalid escape in quoted string' },
    { template: "{{ 'ab' }}", fails: 'line 1, column 4: malformed character constant' },
    { template: "{{ '' }}", fails: 'line 1, column 4: malformed character constant' },
    { template: '{{ 3k }}', fails: 'line 1, column 4: bad number syntax: "3k"' },
    { template: '{{ 08.5.1 }}', fails: 'line 1, column 4: bad number syntax: "08.5.1"' },
    { template: '{{ 1__0 }}', fails: 'line 1, column 4: bad number syntax: "1__0"' },
    {
      template: '{{ 9007199254740993 }}',
      fails: 'line 1, column 4: number out of range: "9007199254740993"',
    },
    { template: '{{ 1e999 }}', fails: 'line 1, column 4: number out of range: "1e999"' },
    { template: '{{ 2i }}', fails: 'line 1, column 4: bad number syntax: "2i"' },
    { template: '{{ .a & .b }}', fails: 'line 1, column 7: unexpected "&" in action' },
    { template: '{{ .a!b }}', fails: 'line 1, column 4: unexpected "!" in action' },
    { template: '{{ "x".y }}', fails: 'line 1, column 7: unexpected ".y" after term' },
    { template: '{{ .a [0] }}', fails: 'line 1, column 7: unexpected "[" in action' },
    { template: '{{ .a[x] }}', fails: 'line 1, column 6: invalid array index "x"' },
    { template: '{{ .a[-1] }}', fails: 'line 1, column 6: invalid array index "-1"' },
    { template: '{{ .a[0 }}', fails: 'line 1, column 6: unterminated index' },
    {
      template: '{{ .a-}}',
      fails: 'line 1, column 4: a trim marker needs a blank before it: " -}}"',
    },
    { template: '{{/* a }}', fails: 'line 1, column 3: unclosed comment' },
    {
      template: '{{/* a */ .b }}',
      fails: 'line 1, column 8: comment ends before closing delimiter',
    },
    { template: '{{ end }}', fails: 'line 1, column 4: unexpected {{end}}' },
    { template: '{{ else }}', fails: 'line 1, column 4: unexpected {{else}}' },
    {
      template: '{{ if true }}',
      fails: 'line 1, column 4: unexpected EOF: this block has no {{end}}',
    },
    { template: '{{ if }}{{ end }}', fails: 'line 1, column 7: missing value for if' },
    { template: '{{ range }}{{ end }}', fails: 'line 1, column 10: missing value for range' },
    {
      template: '{{ if true }}{{ else }}{{ else }}{{ end }}',
      fails: 'line 1, column 27: unexpected {{else}}',
    },
    {
      template: '{{ if true }}{{ else with 1 }}{{ end }}',
      fails: 'line 1, column 22: unexpected "with" in else',
    },
    { template: '{{ if true }}{{ end 1 }}', fails: 'line 1, column 21: unexpected "1" in end' },
    { template: '{{ break }}', fails: 'line 1, column 4: {{break}} outside {{range}}' },
    {
      template: '{{ if true }}{{ continue }}{{ end }}',
      fails: 'line 1, column 17: {{continue}} outside {{range}}',
    },
    {
      template: '{{ range . }}{{ else }}{{ break }}{{ end }}',
      fails: 'line 1, column 27: {{break}} outside {{range}}',
    },
    {
      template: '{{ range . }}{{ define "x" }}{{ end }}{{ end }}',
      fails: 'line 1, column 17: unexpected {{define}} inside a block',
    },
    { template: '{{ template "x" }}', fails: 'line 1, column 4: template "x" not defined' },
    {
      template: '{{ template x }}',
      fails: 'line 1, column 13: unexpected "x" in template, which takes a quoted name',
    },
    {
      template: '{{ define "x" }}',
      fails: 'line 1, column 4: unexpected EOF: this block has no {{end}}',
    },
    {
      template: '{{ define "x" }}1{{ end }}{{ define "x" }}2{{ end }}',
      fails: 'line 1, column 30: multiple definition of template "x"',
    },
    {
      template: '{{ $x := 1 }}{{ define "t" }}{{ $x }}{{ end }}',
      fails: 'line 1, column 33: undefined variable "$x"',
    },
    { template: 'line\n  {{ foo }}', fails: 'line 2, column 6: function "foo" not defined' },
  ],
};
