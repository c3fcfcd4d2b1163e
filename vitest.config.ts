import { defineConfig } from 'vitest/config';

/** Workspace packages are tested from their sources; only what is spawned as a process needs a build. */
const conditions = ['@gateway/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    retry: 0,
    allowOnly: false,
  },
});
