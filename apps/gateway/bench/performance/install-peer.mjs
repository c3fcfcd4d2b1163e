import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** The folder of the user that keeps installed peers between runs. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gateway-bench');
const INSTALL_MS = 180_000;
/** npm takes no release after this day for what the pinned packages need, so every installation is the same. */
const RELEASED_BEFORE = '2026-11-23';
const OPTIONS = [
  ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'],
  `--before=${RELEASED_BEFORE}`,
];

const manifestOf = (pinned) => JSON.parse(readFileSync(join(pinned, 'package.json'), 'utf8'));

/** Returns the version of a package that is measured: the pinned one, or that of the installed development dependency. */
export const pinnedVersion = (name, pinned) => {
  if (pinned !== undefined) return manifestOf(pinned).dependencies[name];
  const require = createRequire(import.meta.url);
  const folder = require.resolve
    .paths(name)
    .map((path) => join(path, name, 'package.json'))
    .find((path) => existsSync(path));
  return JSON.parse(readFileSync(folder, 'utf8')).version;
};

const keyOf = (folder) => {
  const hash = createHash('sha256').update(RELEASED_BEFORE);
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
};

/** The line in which npm names the cause. */
const npmError = ({ stderr = '', message }) =>
  /npm error (\d{3} .*?)(?: - .*)?$/mu.exec(stderr)?.[1] ?? message.split('\n')[0];

const npm = async (folder) => {
  try {
    await promisify(execFile)('npm', ['install', ...OPTIONS], { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    throw new Error(`npm cannot install it: ${npmError(error)}`);
  }
};

/**
 * Installs the packages of a folder once for a user and version of the folder, without their install scripts.
 *
 * @param pinned a folder with a `package.json` of exact versions
 * @returns its folder `node_modules`
 * @throws {Error} when npm cannot install them, with its reason
 */
export const installPeer = async (pinned, report) => {
  const name = basename(pinned);
  const folder = join(CACHE, `${name}-${keyOf(pinned)}`);
  if (!existsSync(folder)) {
    report(`Installing ${name} from npm`);
    const draft = `${folder}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    try {
      cpSync(pinned, draft, { recursive: true });
      await npm(draft);
      if (!existsSync(folder)) renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules');
};
