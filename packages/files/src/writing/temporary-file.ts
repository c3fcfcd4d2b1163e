import { randomBytes } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf } from '../failures/error-code.ts';
import { MACHINE_ID } from './machine-id.ts';

/** Longer than any write takes, in milliseconds. */
const LONGEST_WRITE_MS = 60_000;

const TEMPORARY = /^\.gateway-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** Returns an unused path in this directory. The name is hidden, so that no reader takes it for a resource. */
export const temporaryPathIn = (directory: string): string => {
  const random = randomBytes(8).toString('hex');
  return path.join(directory, `.gateway-${MACHINE_ID}-${String(process.pid)}-${random}.tmp`);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
};

/** Returns whether the writer of a temporary file has ended, or had this process's id before it. */
const isStale = (machine: string, pid: number, modifiedAt: number): boolean => {
  const now = Date.now();
  if (now - modifiedAt > LONGEST_WRITE_MS) return true;
  if (machine !== MACHINE_ID) return false;
  // The clock of the file system and this clock differ by up to a tick.
  if (pid === process.pid) return modifiedAt < now - process.uptime() * 1000 - 100;
  return !isRunning(pid);
};

const removeIfStale = async (directory: string, name: string): Promise<void> => {
  const [, machine = '', pid = ''] = TEMPORARY.exec(name) ?? [];
  if (machine === '') return;
  const file = path.join(directory, name);
  try {
    const stats = await lstat(file);
    if (stats.isFile() && isStale(machine, Number(pid), stats.mtimeMs)) await unlink(file);
  } catch {
    // The file is gone or this process may not delete it; readers ignore it in both cases.
  }
};

/** Removes the temporary files of processes that ended during a write in this directory. Never rejects. */
export const removeStaleTemporaryFiles = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) await removeIfStale(directory, name);
};
