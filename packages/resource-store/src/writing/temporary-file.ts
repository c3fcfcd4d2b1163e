import { randomBytes } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { THIS_MACHINE } from './this-machine.ts';

/** Longer than any write takes, in milliseconds. */
const LONGEST_WRITE_MS = 60_000;

const TEMPORARY = /^\.gateway-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** A name in this directory that nobody uses: hidden, so that it is taken for no resource. */
export const temporaryFileIn = (directory: string): string => {
  const random = randomBytes(8).toString('hex');
  return path.join(directory, `.gateway-${THIS_MACHINE}-${String(process.pid)}-${random}.tmp`);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Whether whoever wrote this last is gone: its process ended, or had this process's id before it. */
const isLeftOver = (machine: string, pid: number, modifiedAt: number): boolean => {
  const now = Date.now();
  if (now - modifiedAt > LONGEST_WRITE_MS) return true;
  if (machine !== THIS_MACHINE) return false;
  // The file system's clock and this one differ by up to a tick.
  if (pid === process.pid) return modifiedAt < now - process.uptime() * 1000 - 100;
  return !isRunning(pid);
};

const removeLeftOver = async (directory: string, name: string): Promise<void> => {
  const [, machine = '', pid = ''] = TEMPORARY.exec(name) ?? [];
  if (machine === '') return;
  const file = path.join(directory, name);
  try {
    const stats = await lstat(file);
    if (stats.isFile() && isLeftOver(machine, Number(pid), stats.mtimeMs)) await unlink(file);
  } catch {
    // Gone meanwhile, or not ours to delete: it is ignored either way.
  }
};

/** Removes what processes that died while writing left in this directory. Never rejects. */
export const removeLeftOvers = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) await removeLeftOver(directory, name);
};
