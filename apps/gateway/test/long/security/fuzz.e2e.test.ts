import { expect, it } from 'vitest';
import { runForResult } from '../../harness/program-result.ts';

/** The part of the result of `bench/fuzz.mjs` that this test reads. */
interface Fuzzed {
  readonly frames: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly problems: readonly unknown[];
  readonly errorLines: readonly string[];
  readonly isAlive: boolean;
  readonly queued: number;
  readonly sessions: number;
  readonly residentMb: number;
  readonly canary: { readonly count: number; readonly wrong: readonly string[] };
}

it(
  '50,000 damaged frames of both protocol eras are answered with documented statuses, cause no error, and change no answer of another client',
  { timeout: 900_000 },
  async () => {
    const program = ['bench/fuzz.mjs', '--frames', '50000', '--seed', '20261122'];
    const { result } = await runForResult<Fuzzed>(program);
    const { frames, problems, statuses, isAlive, errorLines, queued, canary } = result;
    // Well-formed HTTP and JSON-RPC.
    expect([frames, problems]).toEqual([50_000, []]);
    // Some of them are still valid: the mutations reach every layer.
    for (const status of ['200', '202', '400', '403', '404', '405', '406', '413', '415', '431'])
      expect([status, statuses[status]]).not.toContain(undefined);
    expect({ isAlive, errorLines, queued }).toEqual({ isAlive: true, errorLines: [], queued: 0 });
    expect(result.sessions).toBeLessThanOrEqual(200);
    expect(result.residentMb).toBeLessThan(400);
    expect(canary.wrong).toEqual([]);
    expect(canary.count).toBeGreaterThan(100);
  },
);
