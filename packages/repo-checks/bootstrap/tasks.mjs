import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runPnpm, toolEnvironment } from './pnpm.mjs';
import { runChild } from './run-child.mjs';
import { runTests } from './run-tests.mjs';

const runScript = (root, script, args) =>
  runChild({
    command: process.execPath,
    args: [...script, ...args],
    cwd: root,
    env: toolEnvironment(),
  });

const own = (root, path) => join(root, 'packages/repo-checks', path);

/** Runs a program in this repository's TypeScript. */
const runTypeScript = (root, path, args) => {
  const loader = pathToFileURL(own(root, 'bin/load-typescript.mjs')).href;
  return runScript(root, ['--import', loader, join(root, path)], args);
};

const turbo = (task, ...options) => ({
  run: (root, args) =>
    runPnpm(root, ['exec', 'turbo', 'run', task, ...options, ...args], 'inherit'),
});

/** Each task loads the types of a package: as many at a time as turbo starts otherwise, ten, can take all memory. */
export const ONE_PER_PROCESSOR = '--concurrency=100%';

/**
 * The root commands by name. `builds`: what the command needs built. `isTest`: the closing line is part of its output.
 * `endsWithParent`: the command ends when npm is killed.
 */
export const tasks = {
  bench: { ...turbo('bench', '--concurrency=1'), builds: 'all' },
  build: turbo('build'),
  chaos: {
    builds: 'programs',
    run: (root, args) => runTypeScript(root, 'apps/gateway/chaos/chaos.mjs', args),
  },
  check: {
    run: (root, args) => runScript(root, [own(root, 'bin/check.mjs')], args),
  },
  conformance: {
    builds: 'all',
    run: (root, args) => runTypeScript(root, 'packages/conformance/src/cli.ts', args),
  },
  gen: {
    run: (root, args) => runScript(root, [own(root, 'bin/gen.mjs')], args),
  },
  lint: turbo('lint', ONE_PER_PROCESSOR),
  prepare: { builds: 'all', run: () => 0 },
  soak: {
    builds: 'programs',
    run: (root, args) => runScript(root, [join(root, 'apps/gateway/soak/soak.mjs')], args),
  },
  start: {
    builds: 'programs',
    endsWithParent: true,
    run: (root, args) => {
      const folder = args.includes('--sign-in') ? 'example/sign-in' : 'example';
      return runScript(root, [join(root, 'apps/gateway', folder, 'start.mjs')], args);
    },
  },
  test: { builds: 'programs', isTest: true, run: (root, args) => runTests(root, args) },
  'test:long': {
    builds: 'all',
    isTest: true,
    run: (root, args) => runTests(root, args, { long: true }),
  },
  typecheck: turbo('typecheck', ONE_PER_PROCESSOR),
};
