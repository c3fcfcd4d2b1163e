import type { GeneratedFile } from '@gateway/repo-checks';
// The programs of the benchmark are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { performancePage } from './bench/performance/page.mjs';
// @ts-expect-error -- it has no declarations
import { recordedRuns } from './bench/performance/record.mjs';

const pageOf = performancePage as (runs: unknown) => string;
const runs = recordedRuns as () => unknown;

/** `docs/reference/performance.md`: the figures of the last benchmark. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/performance.md', text: () => pageOf(runs()) },
];
