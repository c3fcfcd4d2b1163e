import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinnedPnpm, runPnpm } from './pnpm.mjs';

const LOCK = 'node_modules/.cache/gateway/prepare.lock';
const POLL_MS = 100;

/** The tools write to standard error: standard output belongs to the program that is started. */
const ON_STDERR = ['ignore', 2, 2];

const report = (line) => process.stderr.write(`${line}\n`);

/** Returns what a lock says: the id of the process that holds it. Undefined without a lock. */
const holderOf = (lock) => {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
};

/** A computer that stops can leave an empty lock. */
const isAlive = (holder) => {
  try {
    return Number(holder) > 0 && process.kill(Number(holder), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Takes a lock: its file appears with its content, or not at all. Returns whether no other process had it. */
const tryToTake = (lock, own) => {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Removes the lock of a dead process, and puts back that of a process that took it in the meantime. */
const removeDead = (lock, dead) => {
  const aside = `${lock}.${process.pid}.dead`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (holderOf(aside) !== dead) tryToTake(lock, aside);
  rmSync(aside, { force: true });
};

/** Runs `work` while no other process of this machine prepares the checkout: pnpm and tsup replace files that a second run could read. */
const exclusively = async (root, work) => {
  const lock = join(root, LOCK);
  const own = `${lock}.${process.pid}`;
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(own, String(process.pid));
  let reported;
  while (!tryToTake(lock, own)) {
    const holder = holderOf(lock);
    if (holder === undefined) continue;
    if (!isAlive(holder)) removeDead(lock, holder);
    else {
      if (holder !== reported)
        report(`Waiting for process ${holder}, which prepares this checkout ...`);
      reported = holder;
      await sleep(POLL_MS);
    }
  }
  rmSync(own);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
};

const runStep = (root, title, args, env) =>
  exclusively(root, async () => {
    report(`${title} ...`);
    const code = await runPnpm(root, args, { stdio: ON_STDERR, env });
    if (code !== 0) report(`${title} failed with exit code ${code}.`);
    return code;
  });

/**
 * Installs the dependencies by the lock file; pnpm ends at once when nothing has changed.
 * @returns 0, or the exit code of pnpm
 */
export const install = (root) =>
  runStep(root, `Installing dependencies with pnpm ${pinnedPnpm(root)}`, [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--config.confirm-modules-purge=false',
  ]);

/** The settings of tsup read this: declarations take most of the time of a library, and no program reads them. */
const WITHOUT_DECLARATIONS = { GATEWAY_DECLARATIONS: 'off' };

const BUILDS = {
  all: { title: 'Building all packages', filters: [] },
  programs: {
    title: 'Building the programs',
    // The example client of agent-manager imports the published library.
    filters: ['./apps/*', '@gateway/portal-web', '@gateway/agent-manager-client...'],
    env: WITHOUT_DECLARATIONS,
  },
  gateway: {
    title: 'Building the gateway',
    filters: ['@gateway/gateway'],
    env: WITHOUT_DECLARATIONS,
  },
};

/**
 * Builds what changed since the last time; turbo takes the rest from its cache.
 * @param {'all' | 'programs' | 'gateway'} part the programs have the sources of all packages in them; only `all` has declarations
 * @returns 0, or the exit code of turbo
 */
export const build = (root, part) => {
  const { title, filters, env } = BUILDS[part];
  const options = ['--output-logs=new-only', '--log-order=grouped', '--ui=stream'];
  return runStep(
    root,
    `${title}, which takes a minute the first time`,
    [
      ...['exec', 'turbo', 'run', 'build', ...options, '--cache=local:rw'],
      ...filters.map((filter) => `--filter=${filter}`),
    ],
    env,
  );
};
