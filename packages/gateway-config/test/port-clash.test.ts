import { expect, it } from 'vitest';
import { findPortClash } from '../src/index.ts';

const addresses = (...ports: readonly (readonly [host: string, port: number])[]) =>
  ports.map(([host, port], at) => ({ host, port, option: `--${'abc'.charAt(at)}` }));

it.each([
  [addresses(['127.0.0.1', 80], ['127.0.0.1', 80])],
  [addresses(['0.0.0.0', 80], ['127.0.0.1', 80])],
  [addresses(['127.0.0.1', 80], ['::', 80])],
])('names the options of two addresses with one port: %j', (given) => {
  expect(findPortClash(given)).toBe('--a and --b are both 80: choose another port for one of them');
});

it('names the first pair of several', () => {
  const given = addresses(['::1', 1], ['::1', 2], ['::1', 2]);
  expect(findPortClash(given)).toBe('--b and --c are both 2: choose another port for one of them');
});

it.each([
  [addresses()],
  [addresses(['127.0.0.1', 80], ['127.0.0.1', 81])],
  [addresses(['127.0.0.1', 80], ['127.0.0.2', 80])],
  [addresses(['127.0.0.1', 0], ['127.0.0.1', 0])],
])('has no problem with %j', (given) => {
  expect(findPortClash(given)).toBe(undefined);
});
