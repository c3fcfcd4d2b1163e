import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Lists', () => {
  printsEach([
    ['{{ list 1 "a" nil true | toJson }}', '[1,"a",null,true]'],
    ['{{ first (list) | toJson }}', 'null'],
    ['{{ last (list) | toJson }}', 'null'],
    ['{{ first (list 1 2) }}', '1'],
    ['{{ last (list 1 2) }}', '2'],
    ['{{ rest (list 1 2 3) | toJson }}', '[2,3]'],
    ['{{ initial (list 1 2 3) | toJson }}', '[1,2]'],
    ['{{ rest (list) | len }}', '0'],
    ['{{ initial (list) | len }}', '0'],
    ['{{ append (list 1) (list 2) | toJson }}', '[1,[2]]'],
    ['{{ prepend (list 1) 0 | toJson }}', '[0,1]'],
    ['{{ push (list) nil | toJson }}', '[null]'],
    ['{{ concat (list 1) (list) (list 2 (list 3)) | toJson }}', '[1,2,[3]]'],
    ['{{ concat | len }}', '0'],
    ['{{ reverse (list 1 2 3) | toJson }}', '[3,2,1]'],
    ['{{ compact (list 0 1 "" "a" nil false (list)) | toJson }}', '[1,"a"]'],
    ['{{ uniq (list 1 "1" 1 (list 1) (list 1) nil nil) | toJson }}', '[1,"1",[1],null]'],
    ['{{ uniq (list (dict "a" 1) (dict "a" 1)) | toJson }}', '[{"a":1}]'],
    ['{{ without (list 1 2 3 2) 2 "3" | toJson }}', '[1,3]'],
    ['{{ has 1 (list 1 2) }}', 'true'],
    ['{{ has "1" (list 1) }}', 'false'],
    ['{{ has (list 1) (list (list 1)) }}', 'true'],
    ['{{ chunk 2 (list 1 2 3) | toJson }}', '[[1,2],[3]]'],
    ['{{ chunk 3 (list 1 2 3) | toJson }}', '[[1,2,3]]'],
    ['{{ chunk 2 (list) | toJson }}', '[]'],
    ['{{ mustSlice (list 1 2 3) 1 | toJson }}', '[2,3]'],
    ['{{ mustSlice (list 1 2 3) 0 2 | toJson }}', '[1,2]'],
    ['{{ mustSlice (list 1 2 3) | toJson }}', '[1,2,3]'],
    ['{{ has 1 nil }}', 'false'],
  ]);

  failsEach([
    [
      '{{ mustSlice (list 1) 0 5 }}',
      'mustSlice: cannot take the items from 0 up to 5 of a list of 1',
    ],
    ['{{ first "abc" }}', 'first: argument 1 must be a list, but is a string'],
    ['{{ append "abc" "d" }}', 'append: argument 1 must be a list, but is a string'],
    ['{{ chunk 0 (list 1) }}', 'chunk: cannot make parts of 0 items'],
    ['{{ has 1 "1" }}', 'has: argument 2 must be a list, but is a string'],
    ['{{ concat (list 1) 2 }}', 'concat: argument 2 must be a list, but is a number'],
    [
      '{{ mustSlice (list 1 2) 2 1 }}',
      'mustSlice: cannot take the items from 2 up to 1 of a list of 2',
    ],
    [
      '{{ mustSlice (list 1 2) "0" }}',
      'mustSlice: argument 2 must be a whole number, but is a string',
    ],
  ]);
});
