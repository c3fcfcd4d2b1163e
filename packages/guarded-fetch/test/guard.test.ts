import { describe, expect, it } from 'vitest';
import { Guard, type GuardRules } from '../src/guard.ts';

/** Returns the addresses of a host that a connection gets, or why it gets none. */
const lookUp = async (
  addresses: readonly string[],
  rules: Partial<GuardRules>,
  url = 'http://name.example/',
): Promise<unknown> => {
  const guard = new Guard(new URL(url), {
    allowPrivate: true,
    plain: 'all',
    signal: AbortSignal.timeout(10_000),
    resolve: () =>
      Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    ...rules,
  });
  return new Promise((resolve) => {
    guard.lookup('name.example', { all: true }, (error, found) => resolve(error?.message ?? found));
  });
};

const HTTP = 'http may be used for loopback addresses only; use https';

describe('http', () => {
  it.each([
    [['127.0.0.1', '::1'], true, true],
    [['10.0.0.1', 'fd00::1', '100.64.0.1'], false, true],
    [['127.0.0.1', '10.0.0.1'], false, true],
    [['10.0.0.1', '8.8.8.8'], false, false],
    [['8.8.8.8'], false, false],
  ])('to %j is allowed: %s, and where the own network may be used: %s', async (texts, one, own) => {
    const isAllowed = async (plain: GuardRules['plain']): Promise<boolean> =>
      (await lookUp(texts, { plain })) !== HTTP;
    expect(await isAllowed('loopback')).toBe(one);
    expect(await isAllowed('own-network')).toBe(own);
    expect(await isAllowed('all')).toBe(true);
  });

  it('is of no interest to https', async () => {
    const found = await lookUp(['8.8.8.8'], { plain: 'loopback' }, 'https://name.example/');
    expect(found).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });
});
