import { describe, expect, it } from 'vitest';
import { failsEach, printsEach, rendered } from '../functions/render-function.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { renderParsed } from './render-parsed.ts';

describe('set, unset and merge on a map in a variable', () => {
  printsEach([
    ['{{ $d := dict "a" 1 }}{{ $_ := set $d "b" 2 }}{{ $d | toJson }}', '{"a":1,"b":2}'],
    ['{{ $d := dict "a" 1 }}{{ $_ := unset $d "a" }}{{ $d | toJson }}', '{}'],
    [
      '{{ $d := dict "a" 1 }}{{ $_ := merge $d (dict "a" 2 "b" 3) }}{{ $d | toJson }}',
      '{"a":1,"b":3}',
    ],
    [
      '{{ $d := dict "a" (dict "b" 1) }}{{ $_ := mergeOverwrite $d (dict "a" (dict "b" 2)) }}{{ $d.a.b }}',
      '2',
    ],
    ['{{ $d := dict }}{{ $_ := mustMerge $d (dict "a" 1) }}{{ $d.a }}', '1'],
    ['{{ $d := dict "a" 1 }}{{ $_ := mustMergeOverwrite $d (dict "a" 2) }}{{ $d.a }}', '2'],
    // The updated map is also the result, with any name or none.
    ['{{ $d := dict "a" 1 }}{{ $n := set $d "b" 2 }}{{ len $d }} {{ len $n }}', '2 2'],
    ['{{ $d := dict }}{{ set $d "k" "v" | toJson }} {{ $d.k }}', '{"k":"v"} v'],
    ['{{ $d := dict }}{{ $d = set $d "k" "v" }}{{ $d.k }}', 'v'],
    ['{{ $d := dict "a" 1 }}{{ $_ := dict "b" 2 | merge $d }}{{ $d | toJson }}', '{"a":1,"b":2}'],
    // Blocks update the variable of the block around them.
    [
      '{{ $d := dict }}{{ range until 3 }}{{ $_ := set $d (toString .) . }}{{ end }}{{ $d | toJson }}',
      '{"0":0,"1":1,"2":2}',
    ],
    ['{{ $d := dict }}{{ if true }}{{ $_ := set $d "a" 1 }}{{ end }}{{ $d.a }}', '1'],
    ['{{ $d := dict }}{{ $_ := set $d "a" 1 | set $d "b" }}{{ $d.b.a }}', '1'],
    // Another argument that updates the same variable is not lost.
    [
      '{{ $d := dict }}{{ $_ := set $d "a" (set $d "b" 1 | len) }}{{ $d | toJson }}',
      '{"a":1,"b":1}',
    ],
    ['{{ $d := dict }}{{ $_ := set $d "__proto__" 1 }}{{ keys $d | join "," }}', '__proto__'],
  ]);
});

describe('everything else stays as it is', () => {
  printsEach([
    ['{{ $d := dict "a" 1 }}{{ $e := $d }}{{ $_ := set $d "b" 2 }}{{ len $e }}', '1'],
    [
      '{{ $d := dict "n" (dict "a" 1) }}{{ $n := set $d.n "b" 2 }}{{ len $d.n }} {{ len $n }}',
      '1 2',
    ],
    ['{{ $d := dict "a" 1 }}{{ $n := omit $d "a" }}{{ len $d }} {{ len $n }}', '1 0'],
    ['{{ $d := dict }}{{ $e := merge (dict "a" 1) $d }}{{ len $d }}', '0'],
    [
      '{{ define "t" }}{{ $x := . }}{{ $_ := set $x "a" 1 }}{{ len $x }}{{ end }}{{ $d := dict }}{{ template "t" $d }} {{ len $d }}',
      '1 0',
    ],
  ]);

  it('leaves the data of the run as they are', () => {
    const input = { map: { a: 1 } };
    const data = { input, results: {}, vars: {}, context: {} };
    const limits = { maxBytes: 1000, now: () => 0 };
    const text = '{{ $m := .input.map }}{{ $_ := set $m "b" 2 }}{{ len $m }} {{ len .input.map }}';
    expect(renderParsed(parseValue(text), data, limits)).toEqual({ ok: true, value: '2 1' });
    expect(input).toEqual({ map: { a: 1 } });
  });

  failsEach([
    ['{{ $d := 5 }}{{ $_ := set $d "a" 1 }}', 'set: argument 1 must be a map, but is a number'],
  ]);
});

it('counts each update against the budget of the rendering', () => {
  const loop = '{{ $d := dict }}{{ range until 1000 }}{{ $_ := set $d (toString .) 1 }}{{ end }}';
  expect(rendered(loop, 10_000)).toBe('! set: the rendering takes more than it is allowed to');
});
