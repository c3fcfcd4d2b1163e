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
  needsBuild: false,
  run: (root, args) =>
    runPnpm(root, ['exec', 'turbo', 'run', task, ...options, ...args], 'inherit'),
});

/** The root commands by name. `needsBuild`: the command runs built programs. `isTest`: the closing line is part of its output. */
export const tasks = {
  bench: turbo('bench', '--concurrency=1'),
  build: turbo('build'),
  check: {
    needsBuild: false,
    run: (root, args) => runScript(root, [own(root, 'bin/check.mjs')], args),
  },
  conformance: {
    needsBuild: true,
    run: (root, args) => runTypeScript(root, 'packages/conformance/src/cli.ts', args),
  },
  gen: {
    needsBuild: false,
    run: (root, args) => runScript(root, [own(root, 'bin/gen.mjs')], args),
  },
  lint: turbo('lint'),
  prepare: { needsBuild: true, run: () => 0 },
  start: {
    needsBuild: true,
    endsWithParent: true,
    run: (root, args) => runScript(root, [join(root, 'apps/gateway/example/start.mjs')], args),
  },
  test: { needsBuild: true, isTest: true, run: (root, args) => runTests(root, args) },
  'test:long': {
    needsBuild: true,
    isTest: true,
    run: (root, args) => runTests(root, args, { long: true }),
  },
  typecheck: turbo('typecheck'),
};
