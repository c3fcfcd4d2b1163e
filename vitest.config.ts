import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Workspace packages are tested from their sources; only what is spawned as a process needs a build. */
const conditions = ['@gateway/source', 'node', 'import', 'module', 'default'];

/** Test files leave nothing behind, so they share a process, which saves loading everything for each of them. */
const all = '{packages,apps}/*/test/**/*.test.ts';

/** Tests that look at their own process: what it holds, how large it is, how its time passes; and the linter, which makes it large. */
const alone =
  '**/{resident-memory,memory,memory.e2e,soak.e2e,all-faults.e2e,http-wire,orphans,lifecycle,lint-rules}.test.ts';

/** Files that take ten seconds or more, and all that start programs. */
const LONG =
  /(?:\.e2e|\/(?:repository|bootstrap|layers|docs|connection|questions|faults|write-faults|features|remote|bounds|image-tree|composed-values|expectations|without-reports))\.test\.ts$/u;

const rank = ({ project, moduleId }: TestSpecification): number =>
  project.name === 'alone' ? 0 : LONG.test(moduleId) ? 1 : 2;

/**
 * Begins with what takes long, so that no core is idle while another ends its last file. Vitest knows how long a file takes
 * only where it ran before, and else takes its size for it.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

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
    sequence: { sequencer: LongFilesFirst },
    // Only what hangs takes this long, on a machine that does ten other things too.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    retry: 0,
    allowOnly: false,
  },
});
