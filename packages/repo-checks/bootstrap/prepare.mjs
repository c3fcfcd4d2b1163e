import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createBuildProgress } from './build-progress.mjs';
import { exclusively } from './exclusively.mjs';
import {
  buildFingerprint,
  buildOutputs,
  declarationOutputs,
  installFingerprint,
  installOutputs,
} from './fingerprint.mjs';
import { pinnedPnpm, runPnpm } from './pnpm.mjs';

const CACHE = 'node_modules/.cache/gateway';
/** The tools write to standard error: standard output belongs to the program that is started. */
const ON_STDERR = ['ignore', 2, 2];

const PIPED = ['ignore', 'pipe', 2];

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
  '--output-logs=full',
  '--log-order=grouped',
  '--cache=local:rw',
];

/** The settings of tsup read this: declarations take most of the time of a library, and no program reads them. */
const WITHOUT_DECLARATIONS = { GATEWAY_DECLARATIONS: 'off' };

const BUILDS = {
  all: {
    name: 'build',
    title: 'Building all packages, which takes a minute or two the first time',
    fingerprint: buildFingerprint,
    outputs: (root) => [...buildOutputs(root, ['packages', 'apps']), ...declarationOutputs(root)],
    args: TURBO_BUILD,
    hasProgress: true,
  },
  programs: {
    name: 'build-programs',
    title: 'Building the programs, which takes a minute the first time',
    fingerprint: buildFingerprint,
    env: WITHOUT_DECLARATIONS,
    outputs: (root) => [
      ...buildOutputs(root, ['apps']),
      'packages/agent-manager-client/dist/index.js',
    ],
    // The example client of agent-manager imports the published library.
    args: [
      ...TURBO_BUILD,
      '--filter=./apps/*',
      '--filter=@gateway/portal-web',
      '--filter=@gateway/agent-manager-client...',
    ],
    hasProgress: true,
  },
  gateway: {
    name: 'build-gateway',
    title: 'Building the gateway, which takes half a minute the first time',
    fingerprint: buildFingerprint,
    outputs: () => ['apps/gateway/dist/cli.js'],
    env: WITHOUT_DECLARATIONS,
    args: [...TURBO_BUILD, '--filter=@gateway/gateway'],
    hasProgress: true,
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

/** Runs a tool, with its output or with one line for each package; then the output is printed after a failure only. */
const runStep = async (root, { args, env, hasProgress }) => {
  if (!hasProgress) return runPnpm(root, args, { stdio: ON_STDERR });
  const progress = createBuildProgress(root, { report });
  const code = await runPnpm(root, args, { stdio: PIPED, onStdout: progress.read, env });
  if (code !== 0) process.stderr.write(progress.text());
  return code;
};

const perform = async (root, step) => {
  if (isDone(root, step)) return 0;
  const fingerprint = step.fingerprint(root);
  report(`${step.title} ...`);
  const code = await runStep(root, step);
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
 * @param {'all' | 'programs' | 'gateway'} part the programs have the sources of all packages in them; only `all` has declarations
 * @returns 0, or the exit code of the tool
 */
export const build = (root, part) => once(root, BUILDS[part]);
