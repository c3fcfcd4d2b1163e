import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Defaults and choices', () => {
  printsEach([
    ['{{ default "d" "" }}', 'd'],
    ['{{ default "d" 0 }}', 'd'],
    ['{{ default "d" "x" }}', 'x'],
    ['{{ default "d" nil }}', 'd'],
    ['{{ default "d" }}', 'd'],
    ['{{ default "d" false }}', 'd'],
    ['{{ default "d" (list) }}', 'd'],
    ['{{ default "d" (dict) }}', 'd'],
    ['{{ empty "" }}', 'true'],
    ['{{ empty "a" }}', 'false'],
    ['{{ empty (dict) }}', 'true'],
    ['{{ empty nil }}', 'true'],
    ['{{ empty 0.0 }}', 'true'],
    ['{{ empty now }}', 'false'],
    ['{{ coalesce 0 "" "x" 1 }}', 'x'],
    ['{{ all }}', 'true'],
    ['{{ any }}', 'false'],
    ['{{ all 1 "" }}', 'false'],
    ['{{ any 0 "a" }}', 'true'],
    ['{{ ternary "a" "b" true }}', 'a'],
    ['{{ ternary "a" "b" false }}', 'b'],
    ['{{ false | ternary 1 2 }}', '2'],
  ]);

  failsEach([
    ['{{ ternary "a" "b" 1 }}', 'ternary: argument 3 must be true or false, but is a number'],
    ['{{ fail "no good" }}', 'fail: no good'],
    ['{{ default }}', 'wrong number of args for default: want at least 1 got 0'],
  ]);
});
