import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withToyTree } from './toy-tree.ts';

const here = resolve(import.meta.dirname, '..');

/**
 * Stands in for npm, the one thing that needs the network: notes how it was called and leaves what pnpm and turbo leave. A
 * file `fail-<task>` makes that task fail with code 7.
 */
const FAKE_NPM = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(process.argv.indexOf('--') + 2);
const task = words[0] === 'install' ? 'install' : 'build';
appendFileSync('npm.log', task + ' ' + process.argv[4] + '\\n');
if (existsSync('fail-' + task)) process.exit(7);
const leave = { install: ['node_modules/.modules.yaml', 'packages/a/node_modules/x'], build: ['packages/a/dist/index.js'] };
setTimeout(() => {
  for (const file of leave[task]) {
    mkdirSync(require('node:path').dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
}, 200);
`;

/** Stands in for vitest: writes the report that \`report.json\` holds, and ends with the code in \`code\`. */
const FAKE_VITEST = `
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
const file = process.argv.find((word) => word.startsWith('--outputFile.json=')).slice('--outputFile.json='.length);
if (existsSync('report.json')) copyFileSync('report.json', file);
process.exit(Number(readFileSync('code', 'utf8')));
`;

/** Prints its arguments and a line \`ready\`; ends with 3 on SIGTERM, or at once with the code that it is given. */
const FAKE_EXAMPLE = `
process.stdout.write(JSON.stringify(process.argv.slice(2)) + '\\n');
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
  'node_modules/vitest/vitest.mjs': FAKE_VITEST,
  'fake/npm-cli.js': FAKE_NPM,
  'report.json':
    '{ "testResults": [{ "status": "passed", "assertionResults": [{ "status": "passed" }] }] }',
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
  /** What npm was asked for since the last look. */
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

/** Runs `use` on a toy checkout whose path has a space in it. */
export const withToyCheckout = (use: (checkout: ToyCheckout) => Promise<void>): Promise<void> =>
  withToyTree(FILES, async (root) => {
    for (const part of ['bin/bootstrap.mjs', 'bootstrap']) {
      await cp(join(here, part), join(root, 'packages/repo-checks', part), { recursive: true });
    }
    let seen = 0;
    const env = { ...process.env, CI: 'true', npm_execpath: join(root, 'fake/npm-cli.js') };
    const start: ToyCheckout['start'] = (...args) =>
      spawn(process.execPath, ['packages/repo-checks/bin/bootstrap.mjs', ...args], {
        cwd: root,
        env,
      });
    const asked = async (): Promise<readonly string[]> => {
      const log = await readFile(join(root, 'npm.log'), 'utf8').catch(() => '');
      const lines = log.split('\n').filter((line) => line !== '');
      return lines.slice(seen, (seen = lines.length));
    };
    await use({ root, start, run: (...args) => ended(start(...args)), asked });
  });
