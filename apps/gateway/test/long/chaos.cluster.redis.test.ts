import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { runForResult } from '../harness/program-result.ts';

/** The part of the result of `chaos/chaos.mjs` that this test reads. */
interface Outcome {
  readonly kinds: readonly { readonly kind: string; readonly sent: number }[];
  readonly faults: Readonly<Record<string, number>>;
  readonly failures: { readonly unexcused: number; readonly examples: readonly string[] };
  readonly problems: readonly string[];
}

const LOADER = resolve(APP, '../../packages/repo-checks/bin/load-typescript.mjs');

it(
  'three replicas in a cluster serve every kind of request while everything that they need fails, fail only those that have to, and end as a fresh process starts',
  { timeout: 300_000 },
  async () => {
    // A loaded machine sends fewer requests; the verdict is on their results.
    const program = ['chaos/chaos.mjs', '--minutes', '0.6', '--rate', '25', '--seed', '3'];
    const loader = ['--import', pathToFileURL(LOADER).href];
    const { code, result } = await runForResult<Outcome>(program, loader);
    for (const { kind, sent } of result.kinds) expect([kind, sent > 0]).toEqual([kind, true]);
    expect(result.failures).toMatchObject({ unexcused: 0, examples: [] });
    expect(Object.keys(result.faults).length).toBeGreaterThan(8);
    expect([result.problems, code]).toEqual([[], 0]);
  },
);
