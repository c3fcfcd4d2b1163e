import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinnedPnpm, runPnpm } from './pnpm.mjs';

/** A file for each process that prepares the checkout, named after its id. */
const PREPARING = 'node_modules/.cache/gateway/preparing';
const POLL_MS = 100;

const report = (line) => process.stderr.write(`${line}\n`);

const isAlive = (pid) => {
  try {
    return Number(pid) > 0 && process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Returns the id of another process that prepares the checkout. Removes the files of those that were killed. */
const findOther = (folder) =>
  readdirSync(folder).find((pid) => {
    if (pid === String(process.pid)) return false;
    const alive = isAlive(pid);
    if (!alive) rmSync(join(folder, pid), { force: true });
    return alive;
  });

/** Writes the file of this process unless there is another; of two that write at the same time, each sees the other or withdraws. */
const claim = (folder, own) => {
  const before = findOther(folder);
  if (before !== undefined) return before;
  writeFileSync(own, '');
  const other = findOther(folder);
  if (other !== undefined) rmSync(own);
  return other;
};

/** Runs `work` while no other process of this machine prepares the checkout: pnpm and tsup replace files that a second run could read. */
const exclusively = async (root, work) => {
  const folder = join(root, PREPARING);
  const own = join(folder, String(process.pid));
  mkdirSync(folder, { recursive: true });
  let reported;
  for (let other = claim(folder, own); other !== undefined; other = claim(folder, own)) {
    if (other !== reported)
      report(`Waiting for process ${other}, which prepares this checkout ...`);
    reported = other;
    // At random, so that two that withdrew do not meet again.
    await sleep(POLL_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    rmSync(own, { force: true });
  }
};

/**
 * Installs the dependencies by the lock file; pnpm ends at once when nothing has changed.
 * @returns 0, or the exit code of pnpm
 */
export const install = (root) =>
  exclusively(root, () => {
    report(`Installing dependencies with pnpm ${pinnedPnpm(root)} ...`);
    const options = [
      '--frozen-lockfile',
      '--prefer-offline',
      '--config.confirm-modules-purge=false',
    ];
    // Standard output belongs to the program that is started.
    return runPnpm(root, ['install', ...options], { stdio: ['ignore', 2, 2] });
  });

/** The settings of tsup read this: declarations take most of the time of a library, and no program reads them. */
const WITHOUT_DECLARATIONS = { GATEWAY_DECLARATIONS: 'off' };

const BUILDS = {
  all: { filters: [] },
  programs: {
    // The example client of agent-manager imports the published library.
    filters: ['./apps/*', '@gateway/portal-web', '@gateway/agent-manager-client...'],
    env: WITHOUT_DECLARATIONS,
  },
  gateway: { filters: ['@gateway/gateway'], env: WITHOUT_DECLARATIONS },
};

/** What turbo says of a package that it does not take from its cache. */
const BUILT = /^(.+):build: cache miss/u;

/**
 * Builds what changed since the last time; turbo takes the rest from its cache. Writes a line for each package that is built, and all
 * that turbo says when it fails.
 * @param {'all' | 'programs' | 'gateway'} part the programs have the sources of all packages in them; only `all` has declarations
 * @returns 0, or the exit code of turbo
 */
export const build = (root, part) =>
  exclusively(root, async () => {
    const { filters, env } = BUILDS[part];
    const options = ['--output-logs=new-only', '--ui=stream', '--no-color', '--cache=local:rw'];
    const lines = [];
    const onLine = (line) => {
      lines.push(line);
      const [, name] = BUILT.exec(line) ?? [];
      if (name !== undefined) report(`Building ${name} ...`);
    };
    const code = await runPnpm(
      root,
      [
        ...['exec', 'turbo', 'run', 'build', ...options],
        ...filters.map((filter) => `--filter=${filter}`),
      ],
      { stdio: ['ignore', 'pipe', 2], env, onLine },
    );
    if (code !== 0) report(lines.join('\n'));
    return code;
  });
