import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
const BREAKING_MS = 5_000;

const holderOf = (lock) => {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** A process that dies while it takes the lock leaves an empty file. */
const isAbandoned = (lock, holder) => {
  if (holder > 0) return !isAlive(holder);
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs > BREAKING_MS;
};

const tryToTake = (lock) => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Removes the lock of a dead process. One process at a time does so, so that none removes a lock that was just acquired. */
const breakDeadLock = (lock) => {
  const breaking = `${lock}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    try {
      if (Date.now() - statSync(breaking).mtimeMs > BREAKING_MS)
        rmSync(breaking, { recursive: true, force: true });
    } catch {
      // Another breaker has just finished.
    }
    return;
  }
  const holder = holderOf(lock);
  if (holder !== undefined && isAbandoned(lock, holder)) rmSync(lock, { force: true });
  rmSync(breaking, { recursive: true, force: true });
};

const take = async (lock, onWait) => {
  let isReported = false;
  while (!tryToTake(lock)) {
    const holder = holderOf(lock);
    if (holder !== undefined && isAbandoned(lock, holder)) {
      breakDeadLock(lock);
      continue;
    }
    if (!isReported && holder > 0) {
      isReported = true;
      onWait(holder);
    }
    await sleep(POLL_MS);
  }
};

/**
 * Runs `work` while no other process of this machine runs under the same lock file.
 * The lock of a process that died is taken over.
 * @param onWait called once with the holder's process id when there is a wait
 */
export const exclusively = async (lock, work, onWait) => {
  mkdirSync(dirname(lock), { recursive: true });
  await take(lock, onWait);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
};
