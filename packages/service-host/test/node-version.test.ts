import { describe, expect, it } from 'vitest';
import { validateNodeVersion, OLDEST_NODE } from '../src/index.ts';

const TRACE = { feature: '`--trace`', minimum: '22.13.0' };

describe('a feature that needs a newer Node', () => {
  for (const version of ['22.13.0', '22.13.1', '22.14.0', '24.0.0'])
    it(`starts on ${version}`, () => {
      expect(validateNodeVersion(TRACE, version)).toBeUndefined();
    });

  for (const version of ['20.19.0', '22.12.9', '21.99.99'])
    it(`is refused on ${version}`, () => {
      expect(validateNodeVersion(TRACE, version)).toBe(
        `\`--trace\` needs Node 22.13.0 or later, this is Node ${version}; start the program with a newer Node`,
      );
    });

  it('is refused on Node 20 as the program itself is', () => {
    expect(validateNodeVersion({ feature: 'gateway', minimum: OLDEST_NODE }, '20.20.2')).toBe(
      'gateway needs Node 22.19.0 or later, this is Node 20.20.2; start the program with a newer Node',
    );
  });

  it('is compared with the running Node', () => {
    expect(validateNodeVersion({ feature: 'x', minimum: OLDEST_NODE })).toBeUndefined();
  });
});
