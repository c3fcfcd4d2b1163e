import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Numbers', () => {
  printsEach([
    ['{{ add 1 "2" 3.9 true }}', '7'],
    ['{{ sub 5 "7" }}', '-2'],
    ['{{ div 7 2 }}', '3'],
    ['{{ div -7 2 }}', '-3'],
    ['{{ mod -7 2 }}', '-1'],
    ['{{ mod 7 -2 }}', '1'],
    ['{{ mul 2 "3" 4.9 }}', '24'],
    ['{{ max 1.9 "5" -3 }}', '5'],
    ['{{ min 3 "2" 5 }}', '2'],
    ['{{ biggest 1 2 }}', '2'],
    ['{{ add1 "41" }}', '42'],
    ['{{ addf 0.1 0.2 }}', '0.3'],
    ['{{ subf 1 0.9 }}', '0.1'],
    ['{{ mulf 1.1 1.1 }}', '1.21'],
    ['{{ divf 1 3 }}', '0.3333333333333333'],
    ['{{ divf 2 3 }}', '0.6666666666666667'],
    ['{{ divf 10 4 2 }}', '1.25'],
    ['{{ addf }}', '0'],
    ['{{ subf 3 }}', '3'],
    ['{{ divf -2 3 }}', '-0.6666666666666667'],
    ['{{ addf 1e20 1e-10 }}', '100000000000000000000'],
    ['{{ mulf 1e200 1e-200 }}', '1'],
    ['{{ maxf 1 "2.5" true }}', '2.5'],
    ['{{ minf 1 -0.5 }}', '-0.5'],
    ['{{ ceil 1.1 }}', '2'],
    ['{{ ceil -1.9 }}', '-1'],
    ['{{ floor -1.1 }}', '-2'],
    ['{{ floor "1.7" }}', '1'],
    ['{{ ceil "x" }}', '0'],
    ['{{ round 123.555555 3 }}', '123.556'],
    ['{{ round 1.5 0 }}', '2'],
    ['{{ round 2.675 2 }}', '2.68'],
    ['{{ round 1250 -2 }}', '1300'],
    ['{{ round 1.3 0 0.3 }}', '2'],
    ['{{ round "1.25" 1 }}', '1.3'],
  ]);

  failsEach([
    ['{{ div 1 0 }}', 'div: cannot divide by zero'],
    ['{{ mod 1 0 }}', 'mod: cannot divide by zero'],
    ['{{ divf 1 0 }}', 'divf: cannot divide by zero'],
    [
      '{{ add 9007199254740991 1 }}',
      'add: cannot calculate with 9007199254740992 as a whole number: it is beyond ±(2^53 − 1)',
    ],
    [
      '{{ mul 3037000500 3037000500 }}',
      'mul: cannot calculate with 9223372037000250000 as a whole number: it is beyond ±(2^53 − 1)',
    ],
    ['{{ round 1 1000 }}', 'round: cannot round to 1000 places: at most 300'],
    ['{{ mulf 1e200 1e200 }}', 'mulf: the result is too large'],
  ]);
});
