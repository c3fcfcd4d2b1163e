import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import {
  buildFingerprint,
  buildOutputs,
  installFingerprint,
  installOutputs,
} from './fingerprint.mjs';
import { pinnedPnpm, runPnpm } from './pnpm.mjs';

const CACHE = 'node_modules/.cache/gateway';
/** The tools write to standard error: standard output belongs to the program that is started. */
const ON_STDERR = ['ignore', 2, 2];

const report = (line) => process.stderr.write(`${line}\n`);

const installStep = (root) => ({
  name: 'install',
  title: `Installing dependencies with pnpm ${pinnedPnpm(root)}`,
  fingerprint: installFingerprint,
  outputs: installOutputs,
  args: [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--config.confirm-modules-purge=false',
  ],
});

const TURBO_BUILD = [
  'exec',
  'turbo',
  'run',
  'build',
  '--output-logs=errors-only',
  '--cache=local:rw',
];

const BUILDS = {
  all: {
    name: 'build',
    title: 'Building all packages, which takes half a minute the first time',
    fingerprint: buildFingerprint,
    outputs: (root) => buildOutputs(root, ['packages', 'apps']),
    args: TURBO_BUILD,
  },
  programs: {
    name: 'build-programs',
    title: 'Building the programs',
    fingerprint: buildFingerprint,
    outputs: (root) => [
      ...buildOutputs(root, ['apps']),
      'packages/agent-manager-client/dist/index.js',
    ],
    // The example client of agent-manager imports the published library.
    args: [...TURBO_BUILD, '--filter=./apps/*', '--filter=@gateway/agent-manager-client...'],
  },
};

const stampFile = (root, step) => join(root, CACHE, `${step.name}.stamp`);

const readStamp = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** Writes a new file and renames it, so that a reader never sees half a stamp. */
const writeStamp = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
};

const isDone = (root, step) =>
  readStamp(stampFile(root, step)) === step.fingerprint(root) &&
  step.outputs(root).every((path) => existsSync(join(root, path)));

const perform = async (root, step) => {
  if (isDone(root, step)) return 0;
  const fingerprint = step.fingerprint(root);
  report(`${step.title} ...`);
  const code = await runPnpm(root, step.args, ON_STDERR);
  if (code === 0) writeStamp(stampFile(root, step), fingerprint);
  else report(`${step.title} failed with exit code ${code}.`);
  return code;
};

/** Performs a step unless it is done. Processes that do so at the same time wait for one another. */
const once = async (root, step) => {
  if (isDone(root, step)) return 0;
  return exclusively(
    join(root, CACHE, 'prepare.lock'),
    () => perform(root, step),
    (pid) => report(`Waiting for process ${pid}, which prepares this checkout ...`),
  );
};

/**
 * Installs the dependencies if they changed since the last time; starts no tool otherwise.
 * @returns 0, or the exit code of the tool
 */
export const install = (root) => once(root, installStep(root));

/**
 * Builds what changed since the last time; starts no tool when nothing did.
 * @param {'all' | 'programs'} part the programs have the sources of all packages in them
 * @returns 0, or the exit code of the tool
 */
export const build = (root, part) => once(root, BUILDS[part]);
