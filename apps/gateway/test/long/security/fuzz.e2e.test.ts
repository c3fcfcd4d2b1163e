import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../../harness/gateway.ts';
import { startNode } from '../../harness/process.ts';

/** The part of the result of `bench/fuzz.mjs` that these tests read. */
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

const FRAMES = 50_000;

const directory = mkdtempSync(join(tmpdir(), 'gateway-fuzz-'));
let fuzzed: Fuzzed;

beforeAll(async () => {
  const file = join(directory, 'fuzz.json');
  const args = ['--frames', String(FRAMES), '--seed', '20261122', '--json', file];
  await startNode([join(APP, 'bench/fuzz.mjs'), ...args]).exited;
  fuzzed = JSON.parse(readFileSync(file, 'utf8')) as Fuzzed;
}, 900_000);

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('50,000 damaged frames of both protocol eras', () => {
  it('are answered with well-formed HTTP, documented statuses and JSON-RPC, or not at all', () => {
    expect([fuzzed.frames, fuzzed.problems]).toEqual([FRAMES, []]);
    // Some of them are still valid: the mutations reach every layer.
    for (const status of ['200', '202', '400', '403', '404', '405', '406', '413', '415', '431'])
      expect([status, fuzzed.statuses[status]]).not.toContain(undefined);
  });

  it('cause no error in the gateway, which lives and holds a bounded memory', () => {
    const { isAlive, errorLines, queued, sessions, residentMb } = fuzzed;
    expect({ isAlive, errorLines, queued }).toEqual({ isAlive: true, errorLines: [], queued: 0 });
    expect(sessions).toBeLessThanOrEqual(200);
    expect(residentMb).toBeLessThan(400);
  });

  it('change no answer of another client, whose requests have toolsets of their own', () => {
    expect(fuzzed.canary.wrong).toEqual([]);
    expect(fuzzed.canary.count).toBeGreaterThan(100);
  });
});
