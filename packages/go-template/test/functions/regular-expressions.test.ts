import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Regular expressions', () => {
  printsEach([
    ['{{ regexMatch "^a+$" "aaa" }}', 'true'],
    ['{{ regexMatch "b" "aaa" }}', 'false'],
    ['{{ regexFind "[a-z]([0-9])" "A1 b2 c3" }}', 'b2'],
    ['{{ regexFind "x" "abc" }}', ''],
    ['{{ regexFindAll "[2,4,6,8]" "123456789" -1 | toJson }}', '["2","4","6","8"]'],
    ['{{ regexFindAll "a" "aaa" 2 | toJson }}', '["a","a"]'],
    ['{{ regexFindAll "x" "aaa" -1 | toJson }}', '[]'],
    ['{{ regexFindAll "a*" "baac" -1 | toJson }}', '["","aa",""]'],
    ['{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W" }}', '-W-xxW-'],
    ['{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "$1W" }}', '---'],
    ['{{ regexReplaceAll "(?P<first>[a-z]+) ([a-z]+)" "john doe" "$2 ${first}$$" }}', 'doe john$'],
    ['{{ regexReplaceAll "a*" "baac" "-" }}', '-b-c-'],
    ['{{ regexReplaceAll "" "abc" "-" }}', '-a-b-c-'],
    ['{{ regexReplaceAll "x" "abc" "-" }}', 'abc'],
    ['{{ regexReplaceAll "b" "abc" "$" }}', 'a$c'],
    ['{{ regexReplaceAll "b" "abc" "$ x ${" }}', 'a$ x ${c'],
    ['{{ regexReplaceAll "(b)" "abc" "${1}${2}$9" }}', 'abc'],
    ['{{ regexReplaceAllLiteral "b" "abc" "$0" }}', 'a$0c'],
    ['{{ regexReplaceAll "😀" "a😀b" "x" }}', 'axb'],
    ['{{ regexFindAll "." "a😀b" -1 | toJson }}', '["a","😀","b"]'],
    ['{{ regexSplit "z+" "pizza" -1 | toJson }}', '["pi","a"]'],
    ['{{ regexSplit "z+" "pizza" 1 | toJson }}', '["pizza"]'],
    ['{{ regexSplit "z+" "pizza" 2 | toJson }}', '["pi","a"]'],
    ['{{ regexSplit "" "abc" -1 | toJson }}', '["a","b","c"]'],
    ['{{ regexSplit "a" "banana" -1 | toJson }}', '["b","n","n",""]'],
    ['{{ regexSplit "a" "banana" 0 | toJson }}', '[]'],
    ['{{ regexSplit "a*" "baaac" -1 | toJson }}', '["b","c"]'],
    ['{{ regexSplit "a" "" -1 | toJson }}', '[""]'],
    ['{{ regexSplit "x*" "ax" -1 | toJson }}', '["a",""]'],
    [
      '{{ regexQuoteMeta "a.b*c[d]{2}^$|\\\\()+?-/" }}',
      'a\\.b\\*c\\[d\\]\\{2\\}\\^\\$\\|\\\\\\(\\)\\+\\?-/',
    ],
    ['{{ regexMatch "(?i)ABC" "xabcx" }}', 'true'],
    ['{{ regexMatch "\\\\p{Greek}" "α" }}', 'true'],
  ]);

  failsEach([
    ['{{ regexMatch "(" "a" }}', 'regexMatch: cannot read the pattern: missing closing ): `(`'],
    [
      '{{ regexMatch "(?=a)" "a" }}',
      'regexMatch: cannot read the pattern: invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      '{{ regexFind "(a)\\\\1" "aa" }}',
      'regexFind: cannot read the pattern: invalid escape sequence: `\\1`',
    ],
    [
      '{{ regexFindAll "a{1001}" "a" 1 }}',
      'regexFindAll: cannot read the pattern: invalid repeat count: `{1001}`',
    ],
  ]);
});
