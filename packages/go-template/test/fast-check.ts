import * as fc from 'fast-check';
import { it } from 'vitest';
import type { JsonValue } from '../src/values/json-value.ts';

export { fc };

/** Any value of JSON, with keys that objects have anyway among them. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, 0, -1.5, 1e21, '', '5', 'true', '😀', '\ud800'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('__proto__', 'constructor', 'length', '*', 'a,b', ''), fc.string()),
      tie('json'),
      { maxKeys: 4 },
    ),
  ),
})).json;

/** A test that holds for every value that the arbitrary gives. */
export const test = <T>(
  title: string,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void => {
  it(title, async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (value) => {
        await holds(value);
      }),
      { numRuns: 300 },
    );
  });
};
