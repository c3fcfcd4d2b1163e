import { expect, it } from 'vitest';
import { mayBePlain } from '../src/plain-http.ts';

it.each([
  [['127.0.0.1', '::1'], true, true],
  [['10.0.0.1', 'fd00::1', '100.64.0.1'], false, true],
  [['127.0.0.1', '10.0.0.1'], false, true],
  [['10.0.0.1', '8.8.8.8'], false, false],
  [['8.8.8.8'], false, false],
  [['169.254.169.254'], false, false],
  [['169.254.1.1'], false, false],
])('http to %j is allowed: %s, and where the own network may be used: %s', (texts, always, own) => {
  const addresses = texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  expect(mayBePlain(addresses, false)).toBe(always);
  expect(mayBePlain(addresses, true)).toBe(own);
});
