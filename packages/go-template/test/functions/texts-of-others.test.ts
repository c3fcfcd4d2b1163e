import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Texts made of others', () => {
  printsEach([
    ['{{ replace "" "-" "abc" }}', '-a-b-c-'],
    ['{{ replace "a" "" "banana" }}', 'bnn'],
    ['{{ replace "$" "$&" "a$b" }}', 'a$&b'],
    ['{{ repeat 0 "abc" }}', ''],
    ['{{ cat "a" nil 1 true }}', 'a 1 true'],
    ['{{ cat }}', ''],
    ['{{ quote "a\\"b" "\\t" "é" "\\u200b" nil 1.5 }}', '"a\\"b" "\\t" "é" "\\u200b" "1.5"'],
    ['{{ squote "a\'b" nil 2 }}', "'a'b' '2'"],
    ['{{ indent 2 "a\\n\\nb\\n" }}', '  a\n  \n  b\n  '],
    ['{{ nindent 1 "a" }}', '\n a'],
    ['{{ wrap 5 "Hello World" }}', 'Hello\nWorld'],
    ['{{ wrap 5 "Helloworld foo bar baz" }}', 'Helloworld\nfoo\nbar\nbaz'],
    ['{{ wrap 0 "a b" }}', 'a\nb'],
    ['{{ wrap 6 "a b c d e f" }}', 'a b c\nd e f'],
    ['{{ wrap 5 "    lead" }}', ' lead'],
    ['{{ wrap 80 "" }}', ''],
    ['{{ wrap 4 "abcd" }}', 'abcd'],
    ['{{ wrap 4 "abcd " }}', 'abcd\n'],
    ['{{ wrapWith 5 "-" "HelloWorldFooBar" }}', 'Hello-World-FooBa-r'],
    ['{{ wrapWith 3 "|" "ab cdefgh" }}', 'ab|cde|fgh'],
  ]);

  failsEach([
    ['{{ repeat "3" "a" }}', 'repeat: argument 1 must be a whole number, but is a string'],
    ['{{ repeat 1.5 "a" }}', 'repeat: argument 1 must be a whole number, but is 1.5'],
    ['{{ repeat -1 "a" }}', 'repeat: cannot repeat -1 times'],
    ['{{ indent -1 "a" }}', 'indent: cannot indent by -1'],
  ]);
});
