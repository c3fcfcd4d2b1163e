import { expect, it } from 'vitest';
import { validateNodeVersion, OLDEST_NODE } from '../src/index.ts';

it.each([
  ...['22.13.0', '22.13.1', '22.14.0', '24.0.0'].map((version) => [version, false] as const),
  ...['20.19.0', '22.12.9', '21.99.99'].map((version) => [version, true] as const),
])('Node %s is refused for a feature of 22.13.0: %s', (version, isRefused) => {
  expect(validateNodeVersion({ feature: '`--trace`', minimum: '22.13.0' }, version)).toBe(
    isRefused
      ? `\`--trace\` needs Node 22.13.0 or later, this is Node ${version}; start the program with a newer Node`
      : undefined,
  );
});

it('Node 20 is refused for the program itself, and the running Node is not', () => {
  const program = { feature: 'gateway', minimum: OLDEST_NODE };
  expect(validateNodeVersion(program, '20.20.2')).toBe(
    'gateway needs Node 22.19.0 or later, this is Node 20.20.2; start the program with a newer Node',
  );
  expect(validateNodeVersion(program)).toBeUndefined();
});
