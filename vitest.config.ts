import { defineConfig } from 'vitest/config';

/** Workspace packages are tested from their sources; only what is spawned as a process needs a build. */
const conditions = ['@gateway/source', 'node', 'import', 'module', 'default'];

/** Test files leave nothing behind, so they share a process, which saves loading everything for each of them. */
const all = '{packages,apps}/*/test/**/*.test.ts';

/** Tests that look at their own process: what it holds, how large it is, how its time passes; and the linter, which makes it large. */
const alone =
  '**/{resident-memory,memory,memory.e2e,soak.e2e,all-faults.e2e,http-wire,orphans,lifecycle,lint-rules}.test.ts';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: [all],
          exclude: [alone, '**/node_modules/**'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [`{packages,apps}/*/test/${alone}`],
        },
      },
    ],
    maxWorkers: 4,
    // Only what hangs takes this long, on a machine that does ten other things too.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    retry: 0,
    allowOnly: false,
  },
});
