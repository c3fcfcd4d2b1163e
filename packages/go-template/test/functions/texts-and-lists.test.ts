import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Texts and lists', () => {
  printsEach([
    ['{{ join "," (list "a" nil 1 2.5 true) }}', 'a,1,2.5,true'],
    ['{{ join "," "abc" }}', 'abc'],
    ['{{ join "," nil }}', ''],
    ['{{ sortAlpha (list "b" 10 2 "a") | toJson }}', '["10","2","a","b"]'],
    ['{{ sortAlpha "x" | toJson }}', '["x"]'],
    ['{{ sortAlpha (list "é" "z" "e" "Z") | toJson }}', '["Z","e","z","é"]'],
    ['{{ split "," "a,b" | toJson }}', '{"_0":"a","_1":"b"}'],
    ['{{ split "" "ab" | toJson }}', '{"_0":"a","_1":"b"}'],
    ['{{ splitn "," 2 "a,b,c" | toJson }}', '{"_0":"a","_1":"b,c"}'],
    ['{{ splitn "," 0 "a,b,c" | toJson }}', '{}'],
    ['{{ splitn "," -1 "a,b,c" | toJson }}', '{"_0":"a","_1":"b","_2":"c"}'],
    ['{{ splitList "," "" | toJson }}', '[""]'],
    ['{{ splitList "" "" | toJson }}', '[]'],
    ['{{ toStrings (list 1 nil "a") | toJson }}', '["1","a"]'],
    ['{{ toStrings nil | toJson }}', '[]'],
  ]);

  failsEach([
    ['{{ join 1 (list 1) }}', 'join: argument 1 must be a string, but is a number'],
    ['{{ splitn "," 1.5 "a" }}', 'splitn: argument 2 must be a whole number, but is 1.5'],
  ]);
});
