import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runChild } from './run-child.mjs';

/** What keeps the tools from phoning home, asking questions or nagging. */
const QUIET = {
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

/** The environment for tools: this one, quiet, and with development dependencies whatever `NODE_ENV` says. */
export const toolEnvironment = () => {
  const { NODE_ENV: _, ...rest } = process.env;
  return { ...rest, ...QUIET };
};

/** The version in `packageManager`, the one place where pnpm is pinned. */
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

/** npm's own script: the one that runs us, beside Node, or on the PATH; running it with Node needs no shell. */
const npmScript = () => {
  const beside = dirname(process.execPath);
  const script = [
    process.env['npm_execpath'],
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
    ...onPath(),
  ].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  if (script === undefined)
    throw new Error('Cannot find npm; install the one that comes with Node.');
  return script;
};

/**
 * How to run the pinned pnpm: a Node script and its arguments. npm keeps pnpm in its own cache; nothing is installed
 * globally. The programs that pnpm starts find pnpm on their PATH too.
 */
export const pnpmCommand = (root, args) => ({
  script: npmScript(),
  args: ['exec', '--yes', `--package=pnpm@${pinnedPnpm(root)}`, '--', 'pnpm', ...args],
});

/**
 * Runs the pinned pnpm.
 * @returns the exit code
 */
export const runPnpm = (root, pnpmArgs, stdio) => {
  const { script, args } = pnpmCommand(root, pnpmArgs);
  return runChild({
    command: process.execPath,
    args: [script, ...args],
    cwd: root,
    env: toolEnvironment(),
    stdio,
  });
};
