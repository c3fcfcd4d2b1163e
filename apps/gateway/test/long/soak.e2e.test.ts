import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { startNode } from '../harness/process.ts';

/** The part of the result of `bench/soak.mjs` that these tests read. */
interface Soaked {
  readonly counts: Readonly<Record<string, { steps: number; failures: number; failure?: string }>>;
  /** Megabytes held after garbage was collected, more in the second half than in the first. */
  readonly heapGrowthMb: number;
}

const SECONDS = 15;
/** A leak of one kilobyte per request exceeds this. */
const NOISE_MB = 2.5;

const directory = mkdtempSync(join(tmpdir(), 'gateway-soak-'));
let soaked: Soaked;

beforeAll(async () => {
  const file = join(directory, 'soak.json');
  const args = ['--seconds', String(SECONDS), '--json', file];
  await startNode([join(APP, 'bench/soak.mjs'), ...args]).exited;
  soaked = JSON.parse(readFileSync(file, 'utf8')) as Soaked;
}, 90_000);

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('concurrent load in every answer mode', () => {
  it('is answered in all of them', () => {
    const modes = Object.entries(soaked.counts).map(([mode, { steps, failure }]) => ({
      mode,
      isLoaded: steps > 20,
      failure,
    }));
    expect(modes).toEqual(
      [
        'JSON, session',
        'JSON, no session',
        '2026-07-28',
        'events with progress',
        'event streams opened and left',
        'sessions abandoned and ended',
        'callers that go away',
      ].map((mode) => ({ mode, isLoaded: true, failure: undefined })),
    );
  });

  it('does not grow the heap after a warm-up', () => {
    expect(soaked.heapGrowthMb).toBeLessThan(NOISE_MB);
  });
});
