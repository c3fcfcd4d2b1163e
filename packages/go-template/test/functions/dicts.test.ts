import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Maps', () => {
  printsEach([
    ['{{ dict "a" 1 "b" | toJson }}', '{"a":1,"b":""}'],
    ['{{ dict 1 2 true "x" | toJson }}', '{"1":2,"true":"x"}'],
    ['{{ get (dict "a" 1) "b" }}', ''],
    ['{{ get (dict "a" nil) "a" | toJson }}', 'null'],
    ['{{ set (dict "a" 1) "b" 2 | toJson }}', '{"a":1,"b":2}'],
    ['{{ unset (dict "a" 1 "b" 2) "a" | toJson }}', '{"b":2}'],
    ['{{ unset (dict) "x" | toJson }}', '{}'],
    ['{{ hasKey (dict "a" 1) "a" }}', 'true'],
    ['{{ hasKey (dict) "__proto__" }}', 'false'],
    ['{{ dict "__proto__" 1 "constructor" 2 | toJson }}', '{"__proto__":1,"constructor":2}'],
    ['{{ pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" nil) | toJson }}', '[1,null]'],
    ['{{ dig "a" "b" "d" (dict "a" (dict "b" 1)) }}', '1'],
    ['{{ dig "a" "c" "d" (dict "a" (dict "b" 1)) }}', 'd'],
    ['{{ dig "x" "y" "d" (dict) }}', 'd'],
    ['{{ keys (dict "b" 1 "a" 2) | sortAlpha | toJson }}', '["a","b"]'],
    ['{{ keys | toJson }}', '[]'],
    ['{{ values (dict "a" 1) | toJson }}', '[1]'],
    ['{{ pick (dict "a" 1 "b" 2) "a" "c" | toJson }}', '{"a":1}'],
    ['{{ omit (dict "a" 1 "b" 2) "a" | toJson }}', '{"b":2}'],
    ['{{ pick (dict "a" 1) | toJson }}', '{}'],
    [
      '{{ merge (dict "a" 1 "n" (dict "x" 1)) (dict "a" 2 "n" (dict "x" 3 "y" 4)) | toJson }}',
      '{"a":1,"n":{"x":1,"y":4}}',
    ],
    [
      '{{ merge (dict "a" "" "b" 0 "c" false) (dict "a" "x" "b" 1 "c" true) | toJson }}',
      '{"a":"x","b":1,"c":true}',
    ],
    ['{{ merge (dict "a" (list 1)) (dict "a" (list 2)) | toJson }}', '{"a":[1]}'],
    ['{{ merge (dict "a" (list)) (dict "a" (list 2)) | toJson }}', '{"a":[2]}'],
    ['{{ merge (dict "a" (dict)) (dict "a" 5) | toJson }}', '{"a":5}'],
    ['{{ merge (dict "a" 5) (dict "a" (dict "b" 1)) | toJson }}', '{"a":5}'],
    ['{{ merge (dict "a" nil) (dict "a" 5) | toJson }}', '{"a":5}'],
    [
      '{{ mergeOverwrite (dict "a" 1 "n" (dict "x" 1)) (dict "a" 2 "n" (dict "x" 3)) | toJson }}',
      '{"a":2,"n":{"x":3}}',
    ],
    [
      '{{ mergeOverwrite (dict "a" true "b" "x") (dict "a" false "b" "") | toJson }}',
      '{"a":false,"b":""}',
    ],
    ['{{ mergeOverwrite (dict "a" (list 1)) (dict "a" (list)) | toJson }}', '{"a":[]}'],
    ['{{ mergeOverwrite (dict "a" 1) (dict "a" nil) | toJson }}', '{"a":null}'],
    ['{{ mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" 5) | toJson }}', '{"a":5}'],
    ['{{ mergeOverwrite (dict "a" 5) (dict "a" (dict "b" 1)) | toJson }}', '{"a":{"b":1}}'],
    ['{{ mergeOverwrite (dict) (dict "a" 1) (dict "a" 2) | toJson }}', '{"a":2}'],
    ['{{ deepEqual (dict "a" (list 1)) (dict "a" (list 1)) }}', 'true'],
    ['{{ deepEqual 1 "1" }}', 'false'],
    ['{{ deepEqual nil nil }}', 'true'],
    ['{{ deepCopy (dict "a" (list 1)) | toJson }}', '{"a":[1]}'],
  ]);

  failsEach([
    ['{{ dig "a" "b" "d" (dict "a" 1) }}', 'dig: cannot look for "b" in a number'],
    ['{{ get "a" "b" }}', 'get: argument 1 must be a map, but is a string'],
    ['{{ set (dict) 1 2 }}', 'set: argument 2 must be a string, but is a number'],
    ['{{ pick (dict) 1 }}', 'pick: argument 2 must be a string, but is a number'],
    ['{{ dig 1 "d" (dict) }}', 'dig: argument 1 must be a string, but is a number'],
    ['{{ pluck "a" 1 }}', 'pluck: argument 2 must be a map, but is a number'],
    ['{{ merge (dict) 1 }}', 'merge: argument 2 must be a map, but is a number'],
    ['{{ keys (list) }}', 'keys: argument 1 must be a map, but is a list'],
  ]);
});
