import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Parts of texts', () => {
  printsEach([
    ['{{ trimAll "$" "$5.00$" }}', '5.00'],
    ['{{ trimAll "" "abc" }}', 'abc'],
    ['{{ trimAll "ab" "abba c ab" }}', ' c '],
    ['{{ trimPrefix "x" "abc" }}', 'abc'],
    ['{{ trimSuffix "" "abc" }}', 'abc'],
    ['{{ trunc 0 "abc" }}', ''],
    ['{{ trunc -10 "abc" }}', 'abc'],
    ['{{ trunc -3 "abc" }}', 'abc'],
    ['{{ trunc 10 "abc" }}', 'abc'],
    ['{{ substr 1 -1 "hello" }}', 'ello'],
    ['{{ substr -1 2 "hello" }}', 'he'],
    ['{{ substr 1 3 "hello" }}', 'el'],
    ['{{ substr 0 99 "hello" }}', 'hello'],
    ['{{ substr 4 2 "hello" }}', ''],
    ['{{ substr 9 12 "hello" }}', ''],
    ['{{ abbrev 5 "hello world" }}', 'he...'],
    ['{{ abbrev 3 "hello world" }}', 'hello world'],
    ['{{ abbrev 11 "hello world" }}', 'hello world'],
    ['{{ abbrevboth 5 10 "1234 5678 9123" }}', '...5678...'],
    ['{{ abbrevboth 0 8 "hello world" }}', 'hello...'],
    ['{{ abbrevboth 20 8 "hello world" }}', '...world'],
    ['{{ abbrevboth 5 6 "hello world" }}', 'hello world'],
    ['{{ abbrevboth 5 7 "abcdefghijklmno" }}', '...f...'],
    ['{{ abbrevboth 4 10 "abcdefghijklmno" }}', 'abcdefg...'],
    ['{{ abbrevboth 6 10 "abcdefghijklmno" }}', '...ghij...'],
    ['{{ plural "one" "many" 1 }}', 'one'],
    ['{{ plural "one" "many" 0 }}', 'many'],
    ['{{ nospace " a b\\tc\\nd " }}', 'abcd'],
    ['{{ trunc 2 "a😀b" }}', 'a😀'],
    ['{{ substr 1 2 "a😀b" }}', '😀'],
  ]);

  failsEach([
    ['{{ contains nil "a" }}', 'contains: argument 1 must be a string, but is null'],
    ['{{ plural "one" "many" "1" }}', 'plural: argument 3 must be a whole number, but is a string'],
  ]);
});
