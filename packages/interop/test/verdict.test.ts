import { describe, expect, it } from 'vitest';
import { Absent } from '../src/compat/drivers.ts';
import { expectThat, verdictOf } from '../src/compat/features.ts';

const LONG_MS = 60_000;

describe('the verdict of a feature', () => {
  it('works, with its remark', async () => {
    expect(await verdictOf(() => Promise.resolve('2026-07-28'), LONG_MS)).toEqual({
      kind: 'works',
      detail: '2026-07-28',
    });
    expect(await verdictOf(() => Promise.resolve(undefined), LONG_MS)).toEqual({ kind: 'works' });
  });

  it('is absent with the reason of the client', async () => {
    const run = () => Promise.reject(new Absent('no callback'));
    expect(await verdictOf(run, LONG_MS)).toEqual({ kind: 'absent', reason: 'no callback' });
  });

  it('fails with what was seen', async () => {
    const run = async (): Promise<undefined> => {
      await Promise.resolve();
      expectThat(false, 'not the meta-tools', ['echo']);
      return undefined;
    };
    expect(await verdictOf(run, LONG_MS)).toEqual({
      kind: 'fails',
      problem: 'not the meta-tools: ["echo"]',
    });
  });

  it('fails when it does not end', async () => {
    const never = () => new Promise<undefined>(() => undefined);
    expect(await verdictOf(never, 1)).toEqual({ kind: 'fails', problem: 'no end within 0.001 s' });
  });
});
