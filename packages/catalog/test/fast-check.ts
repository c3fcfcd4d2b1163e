import * as fc from 'fast-check';
import { it } from 'vitest';

export { fc };

/** A test that holds for every value that the arbitrary gives. */
export const test = <T>(
  title: string,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void,
): void => {
  it(title, () => {
    const property = fc.property(arbitrary, (value) => {
      holds(value);
    });
    fc.assert(property, { numRuns: 300 });
  });
};
