import { defineConfig } from 'vitest/config';

/** Workspace packages are tested from their sources; only what is spawned as a process needs a build. */
const conditions = ['@gateway/source', 'node', 'import', 'module', 'default'];

/** Packages that touch nothing outside: their test files can share a process, which saves loading everything for each of them. */
const pure =
  'packages/{toolset-grammar,preset-resolver,catalog,crd-schemas,events,workflow-engine,meta-tools,core-tools}/test/**/*.test.ts';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: [pure], isolate: false } },
      {
        extends: true,
        test: {
          name: 'world',
          include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          exclude: [pure, '**/node_modules/**'],
        },
      },
    ],
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    retry: 0,
    allowOnly: false,
  },
});
