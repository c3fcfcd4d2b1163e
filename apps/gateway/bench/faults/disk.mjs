import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NOBODY = 65_534;
const SIZE = 'size=1m,mode=700';
const SPACE = ['-Urm', 'sh', '-c'];

const mounts = (directory) =>
  spawnSync('unshare', [...SPACE, 'mount -t tmpfs -o "$1" none "$2"', 'sh', SIZE, directory])
    .status === 0;

/** A small file system of its own, which only the gateway and its process namespace can access. */
const smallDisk = (base, seed, directory) => {
  const start = 'mount -t tmpfs -o "$1" none "$2" && cp -R "$3/." "$2" && shift 3 && exec "$@"';
  let pid = 0;
  const seen = (...names) => join(`/proc/${pid}/root`, directory, ...names);
  const remount = (how) =>
    run(
      'nsenter',
      ['-t', String(pid), '-U', '-m', '--preserve-credentials'].concat([
        'mount',
        '-o',
        `remount,${how}`,
        directory,
      ]),
    );
  return {
    kind: 'tmpfs',
    through: ['unshare', ...SPACE, start, 'sh', SIZE, directory, seed],
    take: (id) => (pid = id),
    path: seen,
    fill: async () => {
      const file = await open(seen('filler'), 'w');
      try {
        for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) await fillBy(file, size);
      } finally {
        await file.close();
      }
    },
    empty: () => unlink(seen('filler')),
    lock: () => remount('ro'),
    unlock: () => remount('rw'),
  };
};

const fillBy = async (file, size) => {
  const bytes = Buffer.alloc(size);
  for (;;) {
    const written = await file.write(bytes).catch((error) => {
      if (error.code !== 'ENOSPC') throw error;
      return { bytesWritten: 0 };
    });
    if (written.bytesWritten < size) return;
  }
};

/** Where nothing may be mounted: the gateway may write no more than so many bytes to a file, and its directory can be locked to it. */
const limitedDisk = (base, seed, directory) => {
  const isRoot = process.getuid() === 0;
  const drop = isRoot
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    : [];
  spawnSync('cp', ['-R', `${seed}/.`, directory]);
  if (isRoot) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, base]);
  let pid = 0;
  const limit = (bytes) => {
    const [command, ...args] = [...drop, 'prlimit', '--pid', String(pid), `--fsize=${bytes}:`];
    return run(command, args);
  };
  const modes = async (mode) => {
    for (const name of ['.', 'mcpservers', 'state']) await chmod(join(directory, name), mode);
  };
  return {
    kind: 'limit',
    through: drop,
    take: (id) => (pid = id),
    path: (...names) => join(directory, ...names),
    fill: () => limit(1),
    empty: () => limit('unlimited'),
    lock: () => modes(0o555),
    unlock: () => modes(0o755),
  };
};

/**
 * A configuration directory whose disk can be filled and made read-only: a small tmpfs in a namespace of its own where that is
 * permitted, else a limit on the gateway's files. `base` holds both `seed` and the directory.
 */
export const makeDisk = (only) => {
  const base = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
  const [seed, directory] = ['seed', 'config'].map((name) => join(base, name));
  for (const name of [join(seed, 'mcpservers'), directory]) mkdirSync(name, { recursive: true });
  const isSmall = only === undefined ? mounts(directory) : only === 'tmpfs';
  return {
    seed,
    directory,
    settle: () => (isSmall ? smallDisk : limitedDisk)(base, seed, directory),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
};
