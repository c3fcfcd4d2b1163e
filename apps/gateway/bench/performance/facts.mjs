import { execFileSync } from 'node:child_process';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** Returns the environment without the variables by which a hook of Git names another checkout than that of the working directory. */
export const environmentOutsideGit = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

const output = (program, args, cwd = import.meta.dirname) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: environmentOutsideGit(),
    stdio: 'pipe',
  }).trim();

/** The page that a run writes does not change what is measured. */
const MEASURED = [':/', ':(top,exclude)docs/reference/performance.md'];
const SHARED_BRANCHES = ['refs/heads/main', 'refs/remotes/origin/main', 'refs/remotes/origin/HEAD'];

const isTrue = (args, cwd) => {
  try {
    output('git', args, cwd);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the commit of a checkout, the tracked files that differ from it, and whether it is on the main branch, so that a rebase does not
 * rename it (`true` where no branch has that name). `commit` is undefined outside of a Git checkout.
 *
 * @param cwd a folder of the checkout
 */
export const commitFacts = (cwd = import.meta.dirname) => {
  try {
    const status = ['status', '--porcelain', '--untracked-files=no', '--', ...MEASURED];
    const changed = output('git', status, cwd).split('\n').filter(Boolean);
    const commit = output('git', ['rev-parse', '--short=12', 'HEAD'], cwd);
    const branches = SHARED_BRANCHES.filter((name) =>
      isTrue(['rev-parse', '--verify', '--quiet', name], cwd),
    );
    const contains = (name) => isTrue(['merge-base', '--is-ancestor', 'HEAD', name], cwd);
    return {
      commit,
      changed: changed.map((line) => line.replace(/^\S+\s+/u, '')),
      isOnMain: branches.length === 0 || branches.some(contains),
    };
  } catch {
    return { commit: undefined, changed: [], isOnMain: true };
  }
};

/** Returns the machine: processor, cores, memory in MB, operating system, and the mean number of processes that ran in the last minute. */
export const machineFacts = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryMb: Math.round(totalmem() / 1024 ** 2),
  load: Number(loadavg()[0].toFixed(1)),
  os: `${platform()} ${release().split('.', 2).join('.')}`,
});

/** The releases of Node that npm installs with this repository; the running one has the path that links are resolved to. */
const INSTALLED = '/node_modules/';

/**
 * Returns a Node: its path, its version without `v`, its major release, and whether it is one that npm installed with this repository.
 *
 * @throws {Error} when it cannot run
 */
export const nodeFacts = (path) => {
  const version = output(path, ['--version']).replace(/^v/u, '');
  const isInstalled = path.replaceAll('\\', '/').includes(INSTALLED);
  return { path, version, major: Number(version.split('.')[0]), isInstalled };
};
