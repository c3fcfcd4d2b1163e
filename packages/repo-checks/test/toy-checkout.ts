import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { installedPath } from '../bootstrap/application-node.mjs';
import { withToyTree } from './toy-tree.ts';

const here = resolve(import.meta.dirname, '..');

/**
 * Stands in for npm, the one program that needs the network: logs which package ran which task, and fails when it runs twice at a
 * time. A file `fail-<task>` makes that task fail with code 7.
 */
const FAKE_NPM = `
const { appendFileSync, existsSync, mkdirSync, rmdirSync } = require('node:fs');
const words = process.argv.slice(process.argv.indexOf('--') + 2);
const task = words[0] === 'install' ? 'install' : 'build';
const pinned = process.argv.find((word) => word.startsWith('--package='));
appendFileSync('npm.log', task + ' ' + pinned + '\\n');
if (existsSync('fail-' + task)) process.exit(7);
mkdirSync('busy');
setTimeout(() => rmdirSync('busy'), 200);
`;

/** Stands in for vitest: writes the report that \`report.json\` holds, and ends with the code in \`code\`. */
const FAKE_VITEST = `
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
const file = process.argv.find((word) => word.startsWith('--outputFile.json=')).slice('--outputFile.json='.length);
if (existsSync('report.json')) copyFileSync('report.json', file);
process.exit(Number(readFileSync('code', 'utf8')));
`;

/** Prints its arguments, or the version of Node, and a line \`ready\`; ends with 3 on SIGTERM, or at once with the code that it is given. */
const FAKE_EXAMPLE = `
process.stdout.write(JSON.stringify(process.argv.slice(2)) + '\\n');
if (process.argv[2] === 'version') { process.stdout.write(process.version + '\\n'); process.exit(0); }
if (process.argv[2] === 'exit') process.exit(Number(process.argv[3]));
process.on('SIGTERM', () => process.exit(3));
setInterval(() => {}, 1000);
process.stdout.write('ready\\n');
`;

const FILES = {
  'package.json': '{ "packageManager": "pnpm@10.34.8" }',
  'pnpm-lock.yaml': 'lockfileVersion: 9\n',
  'packages/a/package.json': '{ "scripts": { "build": "tsup" }, "devDependencies": { "x": "1" } }',
  'packages/a/src/index.ts': 'export const a = 1;\n',
  'apps/gateway/package.json': '{}',
  'apps/gateway/example/start.mjs': FAKE_EXAMPLE,
  'packages/a/test/a.test.ts': '',
  'node_modules/vitest/vitest.mjs': FAKE_VITEST,
  'fake/npm-cli.js': FAKE_NPM,
  'report.json':
    '{ "testResults": [{ "name": "packages/a/test/a.test.ts", "status": "passed", "assertionResults": [{ "status": "passed" }] }] }',
  code: '0',
};

/** How a run of the bootstrap ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A small checkout with the real bootstrap in it. */
export interface ToyCheckout {
  readonly root: string;
  /** Starts the bootstrap and leaves it running. */
  readonly start: (...args: readonly string[]) => ChildProcessWithoutNullStreams;
  /** Runs the bootstrap to its end. */
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** Runs the bootstrap to its end on another Node. */
  readonly runOn: (node: string, ...args: readonly string[]) => Promise<Ended>;
  /** The tasks of npm since the last call. */
  readonly asked: () => Promise<readonly string[]>;
}

const ended = (child: ChildProcessWithoutNullStreams): Promise<Ended> =>
  new Promise((done) => {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('close', (code) => done({ code, stdout, stderr }));
  });

/** Links the Node of these tests to the place where npm installs that of the applications. */
const installNode = async (root: string): Promise<void> => {
  const program = installedPath(root);
  if (program === undefined) throw new Error('npm has no Node for this platform');
  await mkdir(dirname(program), { recursive: true });
  await symlink(process.execPath, program);
};

/** Returns a function that returns the lines that were added to a file since its last call. */
const newLines = (file: string): ToyCheckout['asked'] => {
  let from = 0;
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    const added = lines.slice(from);
    from = lines.length;
    return added;
  };
};

/** Runs `use` on a toy checkout whose path has a space in it. */
export const withToyCheckout = (use: (checkout: ToyCheckout) => Promise<void>): Promise<void> =>
  withToyTree(FILES, async (root) => {
    for (const part of ['bin/bootstrap.mjs', 'bootstrap']) {
      await cp(join(here, part), join(root, 'packages/repo-checks', part), { recursive: true });
    }
    await installNode(root);
    // The checkout chooses its own kind of tests.
    const { TESTS: _, ...outer } = process.env;
    const env = { ...outer, CI: 'true', npm_execpath: join(root, 'fake/npm-cli.js') };
    const startOn = (node: string, args: readonly string[]) =>
      spawn(node, ['packages/repo-checks/bin/bootstrap.mjs', ...args], { cwd: root, env });
    await use({
      root,
      start: (...args) => startOn(process.execPath, args),
      run: (...args) => ended(startOn(process.execPath, args)),
      runOn: (node, ...args) => ended(startOn(node, args)),
      asked: newLines(join(root, 'npm.log')),
    });
  });
