import { describe, expect, it } from 'vitest';
import { StartedSignIns } from '../../../src/sign-in/user-sign-in.ts';

const ADA = { server: 'wiki', principalKey: 'ada' };

describe('a started sign-in', () => {
  it('is completed when its user has signed in to its server', async () => {
    const started = new StartedSignIns();
    const id = started.add(ADA);
    const other = started.add({ ...ADA, principalKey: 'ben' });
    const ended = started.waitForEnd(id);
    started.complete(ADA);
    expect(await ended).toBe(true);
    expect(started.isWaiting(ADA)).toBe(false);
    expect(started.isWaiting({ ...ADA, principalKey: 'ben' })).toBe(true);
    started.close();
    expect(await started.waitForEnd(other)).toBe(false);
  });

  it('is not completed when it is unknown or when the gateway stops', async () => {
    const started = new StartedSignIns();
    expect(await started.waitForEnd('x')).toBe(false);
    const ended = started.waitForEnd(started.add(ADA));
    started.close();
    expect(await ended).toBe(false);
  });
});
