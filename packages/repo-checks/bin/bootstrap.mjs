#!/usr/bin/env node
/**
 * `npm start` and `npm test`: from a fresh clone, with Node and npm alone, to a running gateway or to tested code.
 * Usage: bootstrap.mjs start [arguments for the example] | test [arguments for vitest] | conformance [subjects] | prepare
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeVersionRefusal } from '../bootstrap/node-version.mjs';

const refusal = nodeVersionRefusal(process.version);
if (refusal !== undefined) {
  process.stderr.write(refusal + '\n');
  process.exit(1);
}

// Loaded only now: older releases cannot.
const { prepare } = await import('../bootstrap/prepare.mjs');
const { runChild } = await import('../bootstrap/run-child.mjs');
const { runTests } = await import('../bootstrap/run-tests.mjs');

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const [task, ...rest] = process.argv.slice(2);

/** npm ends the shell it runs a script in and nothing below: without this, what `npm start` started would stay. */
const endWithParent = () => {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
};

const start = () => {
  endWithParent();
  return runChild({
    command: process.execPath,
    args: [join(root, 'apps/gateway/example/start.mjs'), ...rest],
    cwd: root,
  });
};

const conformance = () =>
  runChild({
    command: process.execPath,
    args: [
      '--import',
      pathToFileURL(join(root, 'packages/repo-checks/bin/load-typescript.mjs')).href,
      join(root, 'packages/conformance/src/cli.ts'),
      ...rest,
    ],
    cwd: root,
  });

const tasks = {
  conformance,
  prepare: () => 0,
  start,
  test: () => runTests(root, rest),
};

if (!Object.hasOwn(tasks, task ?? '')) {
  process.stderr.write('Usage: bootstrap.mjs start|test|conformance|prepare [arguments]\n');
  process.exit(2);
}

const prepared = await prepare(root);
if (prepared === 0) {
  process.exitCode = await tasks[task]();
} else {
  // Whoever reads the closing line must not take a failed preparation for a run without failures.
  if (task === 'test') process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = prepared;
}
