import { describe, expect, it } from 'vitest';
import { type HostAddress, limitLookups } from '../src/resolve-host.ts';

/** Names that are being looked up, and how to answer them. */
const slowNames = (atOnce: number) => {
  const asked: string[] = [];
  const answers = new Map<string, (addresses: readonly HostAddress[]) => void>();
  const resolve = limitLookups((host) => {
    asked.push(host);
    return new Promise((answer) => answers.set(host, answer));
  }, atOnce);
  return { asked, answers, resolve };
};

const soon = () => new Promise(setImmediate);

describe('unresolved names', () => {
  it('are resolved few at a time, in order', async () => {
    const { asked, answers, resolve } = slowNames(2);
    const [first] = ['a', 'b', 'c', 'd'].map((host) => resolve(host));
    await soon();
    expect(asked).toEqual(['a', 'b']);
    answers.get('a')?.([]);
    expect(await first).toEqual([]);
    await soon();
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('are not resolved for callers that left the queue', async () => {
    const { asked, answers, resolve } = slowNames(1);
    const given = Array.from({ length: 1_000 }, () => new AbortController());
    void resolve('held');
    const waiting = given.map(({ signal }) => resolve('given up', signal));
    void resolve('patient');
    for (const one of given) one.abort();
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    answers.get('held')?.([]);
    await soon();
    expect(asked).toEqual(['held', 'patient']);
  });

  it('release their slot when they fail', async () => {
    const resolve = limitLookups(() => Promise.reject(new Error('ENOTFOUND')), 1);
    for (let time = 0; time < 3; time += 1) await expect(resolve('a')).rejects.toThrow('ENOTFOUND');
  });
});
