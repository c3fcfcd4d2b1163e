import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { startNode } from '../harness/process.ts';

/** The part of the result of `soak/soak.mjs` that these tests read. */
interface Soaked {
  readonly counts: Readonly<Record<string, { steps: number; failures: number; failure?: string }>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const SECONDS = 20;
/** A loaded machine sends fewer requests; the gate is on the result, not on the rate. */
const RATE = 150;

const directory = mkdtempSync(join(tmpdir(), 'gateway-soak-'));
let soaked: Soaked;
let exit: { readonly code: number | null };

beforeAll(async () => {
  const file = join(directory, 'soak.json');
  const input = ['--seconds', String(SECONDS), '--rate', String(RATE), '--json', file];
  const running = startNode([join(APP, 'soak/soak.mjs'), ...input]);
  exit = await running.exited;
  soaked = JSON.parse(readFileSync(file, 'utf8')) as Soaked;
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('a gateway under load while servers, files and the clock fail', () => {
  it('answers every kind of request', () => {
    const kinds = Object.values(soaked.counts);
    expect(kinds).toHaveLength(11);
    for (const { steps, failure } of kinds) expect([steps > 0, failure]).toEqual([true, undefined]);
  });

  it('meets several faults', () => {
    expect(Object.keys(soaked.faults).length).toBeGreaterThan(3);
  });

  it('does not grow, and reports so', () => {
    expect([soaked.problems, exit.code]).toEqual([[], 0]);
  });
});
