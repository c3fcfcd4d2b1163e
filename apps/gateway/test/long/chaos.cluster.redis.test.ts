import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { startNode } from '../harness/process.ts';

/** The part of the result of `chaos/chaos.mjs` that these tests read. */
interface Outcome {
  readonly kinds: readonly { readonly kind: string; readonly sent: number }[];
  readonly faults: Readonly<Record<string, number>>;
  readonly failures: { readonly unexcused: number; readonly examples: readonly string[] };
  readonly problems: readonly string[];
}

const MINUTES = 0.6;
/** A loaded machine sends fewer requests; the verdict is on their results. */
const RATE = 25;

const LOADER = resolve(APP, '../../packages/repo-checks/bin/load-typescript.mjs');

const directory = mkdtempSync(join(tmpdir(), 'gateway-chaos-'));
let outcome: Outcome;
let code: number | null;

beforeAll(async () => {
  const file = join(directory, 'chaos.json');
  const input = ['--minutes', String(MINUTES), '--rate', String(RATE), '--seed', '3'];
  const program = ['--import', pathToFileURL(LOADER).href, join(APP, 'chaos/chaos.mjs')];
  const running = startNode([...program, ...input, '--json', file]);
  ({ code } = await running.exited);
  outcome = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
}, 300_000);

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('three replicas in a cluster under load while everything that they need fails', () => {
  it('serve every kind of request, and fail only those that have to', () => {
    const { kinds, failures } = outcome;
    for (const { kind, sent } of kinds) expect([kind, sent > 0]).toEqual([kind, true]);
    expect(failures).toMatchObject({ unexcused: 0, examples: [] });
  });

  it('meet many faults', () => {
    expect(Object.keys(outcome.faults).length).toBeGreaterThan(8);
  });

  it('end as a fresh process starts, without growth and without processes that are left', () => {
    expect([outcome.problems, code]).toEqual([[], 0]);
  });
});
