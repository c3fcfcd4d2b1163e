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

/** Installs the dependencies, and builds if this Node continues: another one builds itself. */
const prepare = async (task) => {
  const installed = await install(root);
  if (installed !== 0) return { code: installed };
  const node = applicationNode(root);
  const builds = node === process.execPath && task.builds !== undefined;
  return { code: builds ? await build(root, task.builds) : 0, node };
};

/** Writes an answer that needs nothing prepared; returns its exit code. */
const write = ({ code, text }) => {
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
};

const run = async (task) => {
  const answer = await task.answer?.(root, rest);
  if (answer !== undefined) return write(answer);
  if (task.endsWithParent) endWithParent();
  let prepared;
  try {
    prepared = await prepare(task);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return failed(1, task);
  }
  const { code, node } = prepared;
  if (code !== 0) return failed(code, task);
  return node === process.execPath ? task.run(root, rest) : continueOn(node);
};

if (Object.hasOwn(tasks, name ?? '')) {
  process.exitCode = await run(tasks[name]);
} else {
  process.stderr.write(`Usage: bootstrap.mjs ${Object.keys(tasks).join('|')} [arguments]\n`);
  process.exitCode = 2;
}
