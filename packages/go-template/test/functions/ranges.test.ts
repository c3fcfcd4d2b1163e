import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Ranges', () => {
  printsEach([
    ['{{ until 3 | toJson }}', '[0,1,2]'],
    ['{{ until -3 | toJson }}', '[0,-1,-2]'],
    ['{{ until 0 | toJson }}', '[]'],
    ['{{ untilStep 3 10 3 | toJson }}', '[3,6,9]'],
    ['{{ untilStep 10 0 -3 | toJson }}', '[10,7,4,1]'],
    ['{{ untilStep 0 5 0 | toJson }}', '[]'],
    ['{{ untilStep 5 0 1 | toJson }}', '[]'],
    ['{{ untilStep 0 0 1 | toJson }}', '[]'],
    ['{{ seq 5 }}', '1 2 3 4 5'],
    ['{{ seq -2 }}', '1 0 -1 -2'],
    ['{{ seq 0 }}', '1 0'],
    ['{{ seq 1 }}', '1'],
    ['{{ seq 2 5 }}', '2 3 4 5'],
    ['{{ seq 5 2 }}', '5 4 3 2'],
    ['{{ seq 0 2 10 }}', '0 2 4 6 8 10'],
    ['{{ seq 0 -5 -10 }}', '0 -5 -10'],
    ['{{ seq 3 3 2 }}', ''],
    ['{{ seq 3 -3 2 }}', '3'],
    ['{{ seq }}', ''],
    ['{{ seq 0 1 2 3 }}', ''],
    ['{{ seq 1 0 3 }}', ''],
  ]);

  failsEach([['{{ until 1.5 }}', 'until: argument 1 must be a whole number, but is 1.5']]);
});
