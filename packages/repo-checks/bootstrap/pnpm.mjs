import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { STARTING_NODE } from './application-node.mjs';
import { runChild } from './run-child.mjs';

/** Returns the folders of all packages and apps, sorted, relative to `root`. */
export const workspaceFolders = (root) =>
  ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .sort()
      .map((name) => `${kind}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json'))),
  );

/** Settings that turn off telemetry, prompts and update notices of the tools. */
const QUIET = {
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

/** Returns the environment for tools: this one without `NODE_ENV`, which could leave out development dependencies, and with the settings above. */
export const toolEnvironment = () => {
  const { NODE_ENV: _, ...rest } = process.env;
  return { ...rest, ...QUIET };
};

/** Returns the version in `packageManager`, the one place where pnpm is pinned. */
export const pinnedPnpm = (root) => {
  const { packageManager = '' } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager)?.[1];
  if (version === undefined)
    throw new Error('package.json must pin `packageManager` to pnpm@x.y.z');
  return version;
};

const onPath = () =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));

const npmOf = (node) => [
  join(dirname(node), '../lib/node_modules/npm/bin/npm-cli.js'),
  join(dirname(node), 'node_modules/npm/bin/npm-cli.js'),
];

/**
 * Returns npm's own script: the one that runs this command, the one next to the Node that started it, or the one on the PATH.
 * Node runs it without a shell.
 */
export const npmScript = () => {
  const script = [
    process.env['npm_execpath'],
    ...npmOf(process.env[STARTING_NODE] ?? process.execPath),
    ...onPath(),
  ].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  if (script === undefined)
    throw new Error('Cannot find npm; install the one that comes with Node.');
  return script;
};

/**
 * Returns the command that runs the pinned pnpm: a Node script and its arguments. npm stores pnpm in its own cache, which later
 * starts use without network; nothing is installed globally. The programs that pnpm starts find pnpm on their PATH too.
 */
export const pnpmCommand = (root, args) => ({
  script: npmScript(),
  args: [
    ...['exec', '--yes', '--prefer-offline', `--package=pnpm@${pinnedPnpm(root)}`],
    ...['--', 'pnpm', ...args],
  ],
});

/**
 * Runs the pinned pnpm.
 * @param options as those of `runChild`; `env` is added to the environment
 * @returns the exit code
 */
export const runPnpm = (root, pnpmArgs, { env = {}, ...options } = {}) => {
  const { script, args } = pnpmCommand(root, pnpmArgs);
  return runChild({
    command: process.execPath,
    args: [script, ...args],
    cwd: root,
    env: { ...toolEnvironment(), ...env },
    ...options,
  });
};
