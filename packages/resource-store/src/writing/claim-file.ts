import { readFileSync } from 'node:fs';
import { readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodeOf } from '../files/error-code.ts';
import { THIS_MACHINE } from './this-machine.ts';
import { createWholeFile } from './write-whole-file.ts';

/** A file that says who is at work, or who that is. */
export type FileClaim =
  | {
      readonly ok: true;
      /** May be called again. Never rejects. */
      readonly release: () => Promise<void>;
      /** Whether nobody took it for left behind meanwhile, who waited longer than this process was expected to be at work. */
      readonly isHeld: () => boolean;
    }
  | { readonly ok: false; readonly holder: number };

/** How to claim. */
export interface ClaimOptions {
  /**
   * How long the claim of a machine counts whose processes cannot be asked for, in milliseconds. Longer than anybody is at
   * work, and than clocks differ. Its claims count for nothing when absent.
   */
  readonly foreignMs?: number;
}

const ATTEMPTS = 20;
const CONTENT = /^([0-9a-f]{8}) (\d{1,10})(?: (\d{1,20}))?\n$/;
/** Longer than it takes to look who holds a lock, and until it is worth trying again, in milliseconds. */
const LONGEST_LOOK_MS = 10_000;
const PAUSE_MS = 20;

/** When a process began, since others have its id later: on the system's own scale, so that no clock is asked. */
const RUNNING = /^.*\) ([^ZX]) (?:-?\d+ ){18}(\d+) /s;

const OWN_START = (() => {
  try {
    return RUNNING.exec(readFileSync('/proc/self/stat', 'utf8'))?.[2];
  } catch {
    return undefined;
  }
})();

const OWN = `${[THIS_MACHINE, process.pid, OWN_START ?? []].flat().join(' ')}\n`;

const nothingWhenGone = (error: unknown): undefined => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
  return undefined;
};

/** Whole at once: a lock without its content would pass for one that was left behind. */
const OPTIONS = { mode: 0o600, isDurable: false } as const;

/** Locks that this process holds or is after, since a process id says nothing about them. */
const held = new Set<string>();

/** Whether the process of this id runs, and is the one that began then. */
const isRunning = async (pid: number, start: string | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCodeOf(error) === 'ESRCH') return false;
  }
  const about = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  // Where the system does not tell, whoever has the id now is taken for the one who had it then.
  if (about === undefined) return true;
  const startNow = RUNNING.exec(about)?.[2];
  return startNow !== undefined && (start === undefined || start === startNow);
};

interface Lock extends ClaimOptions {
  readonly file: string;
}

/** Whether somebody holds a lock that says this. */
const holderOf = async (lock: Lock, content: string): Promise<number | undefined> => {
  const { file, foreignMs = 0 } = lock;
  const [, machine, id = '0', start] = CONTENT.exec(content) ?? [];
  const pid = Number(id);
  if (machine === THIS_MACHINE) {
    // This process would know its own.
    return pid !== process.pid && (await isRunning(pid, start)) ? pid : undefined;
  }
  if (foreignMs === 0) return undefined;
  const stats = await stat(file).catch(nothingWhenGone);
  // One that was let go of at this moment was held when it was read.
  return stats === undefined || Date.now() - stats.mtimeMs < foreignMs ? pid : undefined;
};

const isOld = async (file: string): Promise<boolean> => {
  const stats = await stat(file).catch(nothingWhenGone);
  return stats !== undefined && Date.now() - stats.mtimeMs > LONGEST_LOOK_MS;
};

/**
 * Takes a lock away that was left behind. One at a time, who looks again first: otherwise it would be somebody's new lock
 * that goes.
 */
const takeAway = async (lock: Lock): Promise<void> => {
  const { file } = lock;
  const guard = `${file}-guard`;
  if (!(await createWholeFile(guard, OWN, OPTIONS))) {
    if (await isOld(guard)) await unlink(guard).catch(nothingWhenGone);
    else await pause(PAUSE_MS);
    return;
  }
  try {
    const content = await readFile(file, 'utf8').catch(nothingWhenGone);
    // One that is gone already may be made anew by somebody else before it could be deleted.
    if (content === undefined || (await holderOf(lock, content)) !== undefined) return;
    await unlink(file).catch(nothingWhenGone);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
};

/** Tries to make the lock. @returns who holds it, 0 when it changed hands all the time; undefined when it is ours */
const make = async (lock: Lock): Promise<number | undefined> => {
  const { file } = lock;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createWholeFile(file, OWN, OPTIONS)) return undefined;
    const content = await readFile(file, 'utf8').catch(nothingWhenGone);
    if (content === undefined) continue;
    const holder = await holderOf(lock, content);
    if (holder !== undefined) return holder;
    await takeAway(lock);
  }
  return 0;
};

const isOwn = (file: string): boolean => {
  try {
    return readFileSync(file, 'utf8') === OWN;
  } catch {
    return false;
  }
};

const claimed = (file: string): Extract<FileClaim, { ok: true }> => {
  let isOurs = true;
  return {
    ok: true,
    isHeld: () => isOwn(file),
    release: async () => {
      if (!isOurs) return;
      isOurs = false;
      await unlink(file).catch(() => undefined);
      held.delete(file);
    },
  };
};

/**
 * Claims something for this process by a file of this name, unless another one of this machine has it. What a process left that
 * is gone counts for nothing. Rejects when the file cannot be written.
 */
export const claimFile = async (name: string, options: ClaimOptions = {}): Promise<FileClaim> => {
  const file = path.resolve(name);
  if (held.has(file)) return { ok: false, holder: process.pid };
  held.add(file);
  try {
    const holder = await make({ ...options, file });
    if (holder === undefined) return claimed(file);
    held.delete(file);
    return { ok: false, holder };
  } catch (error) {
    held.delete(file);
    throw error;
  }
};
