#!/usr/bin/env node
/**
 * The root commands: from a fresh clone, with Node and npm alone, to a running gateway or to tested code. The command starts on any
 * supported Node, installs the dependencies, and continues on the Node of the applications, which is one of them.
 * Usage: bootstrap.mjs <task> [arguments of the task]
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeVersionRefusal } from '../bootstrap/node-version.mjs';

const refusal = nodeVersionRefusal(process.version);
if (refusal !== undefined) {
  process.stderr.write(refusal + '\n');
  process.exit(1);
}

// Imported only now: older releases cannot parse these files.
const { applicationNode, environmentOf } = await import('../bootstrap/application-node.mjs');
const { build, install } = await import('../bootstrap/prepare.mjs');
const { runChild } = await import('../bootstrap/run-child.mjs');
const { tasks } = await import('../bootstrap/tasks.mjs');

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const [name, ...rest] = process.argv.slice(2);

/** npm ends the shell that runs a script and nothing below it: without this, the programs of `npm start` would go on. */
const endWithParent = () => {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
};

/** A reader of the closing line must not take a failed preparation for a run without failures. */
const failed = (code, { isTest }) => {
  if (isTest) process.stdout.write('0 passed, 1 failed\n');
  return code;
};

const continueOn = (node) =>
  runChild({
    command: node,
    args: [join(root, 'packages/repo-checks/bin/bootstrap.mjs'), name, ...rest],
    cwd: root,
    env: environmentOf(node),
  });

const run = async (task) => {
  if (task.endsWithParent) endWithParent();
  const installed = await install(root);
  if (installed !== 0) return failed(installed, task);
  let node;
  try {
    node = applicationNode(root);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return failed(1, task);
  }
  if (node !== process.execPath) return continueOn(node);
  const code = task.builds === undefined ? 0 : await build(root, task.builds);
  return code === 0 ? task.run(root, rest) : failed(code, task);
};

if (Object.hasOwn(tasks, name ?? '')) {
  process.exitCode = await run(tasks[name]);
} else {
  process.stderr.write(`Usage: bootstrap.mjs ${Object.keys(tasks).join('|')} [arguments]\n`);
  process.exitCode = 2;
}
