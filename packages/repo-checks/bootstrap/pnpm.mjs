import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** npm's own script: the one that runs us, or the one beside Node; running it with Node needs no shell. */
const npmScript = () => {
  const beside = dirname(process.execPath);
  return [
    process.env['npm_execpath'],
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
  ].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
};

/**
 * Runs the pinned pnpm, which npm keeps in its own cache; nothing is installed globally.
 * The programs that pnpm starts find it on their PATH too.
 * @returns the exit code
 */
export const runPnpm = (root, args, stdio) => {
  const script = npmScript();
  const exec = ['exec', '--yes', `--package=pnpm@${pinnedPnpm(root)}`, '--', 'pnpm', ...args];
  const [command, ...rest] =
    script === undefined ? ['npm', ...exec] : [process.execPath, script, ...exec];
  return runChild({ command, args: rest, cwd: root, env: toolEnvironment(), stdio });
};
