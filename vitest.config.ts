import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import {
  applicationNode,
  environmentOf,
} from './packages/repo-checks/bootstrap/application-node.mjs';
import { testFolders, testProjects } from './packages/repo-checks/bootstrap/test-projects.mjs';

/** Workspace packages are tested from their sources; only what is spawned as a process needs a build. */
const conditions = ['@gateway/source', 'node', 'import', 'module', 'default'];

// Workers, and the programs that tests start, run on the Node of the applications, whichever Node started vitest.
const node = applicationNode(import.meta.dirname);
if (node !== process.execPath) {
  Object.assign(process.env, environmentOf(node));
  process.execPath = node;
}

const isLong = process.env['TESTS'] === 'long';
// Most of the start of a program is the compilation of its libraries. Long tests measure programs as they start elsewhere.
if (!isLong)
  process.env['NODE_COMPILE_CACHE'] ??= join(
    import.meta.dirname,
    'node_modules/.cache/gateway/compiled',
  );

const projects = testProjects(import.meta.dirname, {
  long: isLong,
  missing: process.env['MISSING_PEERS']?.split(',').filter((name) => name !== ''),
});

const FOLDERS = testFolders(import.meta.dirname, { long: isLong }).map((folder) =>
  join(import.meta.dirname, folder, '/'),
);

/** Keeps the files of a package together, so that they share processes, and starts with the packages that take longest. */
class ByPackage extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      FOLDERS.findIndex((folder) => moduleId.startsWith(folder));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: projects.map((test) => ({ extends: true, test })),
    maxWorkers: 4,
    sequence: { sequencer: ByPackage },
    // Only a test that hangs takes this long, even on a machine that does ten other things too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    allowOnly: false,
  },
});
