import { createHash } from 'node:crypto';
import { readFile, stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodeOf } from '../files/error-code.ts';
import { createWholeFile } from '../writing/write-whole-file.ts';

/** Who uses a directory, or the way to let go of it. */
export type DirectoryClaim =
  | { readonly ok: true; readonly release: () => Promise<void> }
  | { readonly ok: false; readonly holder: number };

const NAME = '.lock';
const ATTEMPTS = 20;
const MACHINE = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const CONTENT = /^([0-9a-f]{8}) (\d{1,10})\n$/;
/** The file system's clock and the system's own differ by a little, in milliseconds. */
const CLOCK_SLACK_MS = 2_000;
/** Longer than it takes to look who holds a lock, and until it is worth trying again, in milliseconds. */
const LONGEST_LOOK_MS = 10_000;
const PAUSE_MS = 20;

const OWN = `${MACHINE} ${String(process.pid)}\n`;

const nothingWhenGone = (error: unknown): undefined => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
  return undefined;
};

/** Whole at once: a lock without its content would pass for one that was left behind. */
const OPTIONS = { mode: 0o600, isDurable: false } as const;

/** Locks that this process holds or is after, since a process id says nothing about them. */
const held = new Set<string>();

/** Whether a process of this id has been running since before the lock was made. */
const isHolder = async (pid: number, lockedAt: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCodeOf(error) === 'ESRCH') return false;
  }
  const about = await stat(`/proc/${String(pid)}`).catch(() => undefined);
  // Where the system does not tell, whoever has the id now is taken for the one who had it then.
  return about === undefined || about.ctimeMs <= lockedAt + CLOCK_SLACK_MS;
};

/** Whether somebody holds a lock that says this. */
const holderOf = async (file: string, content: string): Promise<number | undefined> => {
  const [, machine, id] = CONTENT.exec(content) ?? [];
  const pid = Number(id);
  // What another machine wrote cannot be asked about: one directory is for one gateway. This process would know its own.
  if (machine !== MACHINE || pid === process.pid) return undefined;
  const stats = await stat(file).catch(nothingWhenGone);
  // Let go of at this moment: it was held when it was read.
  return stats === undefined || (await isHolder(pid, stats.mtimeMs)) ? pid : undefined;
};

const isOld = async (file: string): Promise<boolean> => {
  const stats = await stat(file).catch(nothingWhenGone);
  return stats !== undefined && Date.now() - stats.mtimeMs > LONGEST_LOOK_MS;
};

/**
 * Takes a lock away that was left behind. One at a time, who looks again first: otherwise it would be somebody's new lock
 * that goes.
 */
const takeAway = async (file: string): Promise<void> => {
  const guard = `${file}-guard`;
  if (!(await createWholeFile(guard, OWN, OPTIONS))) {
    if (await isOld(guard)) await unlink(guard).catch(nothingWhenGone);
    else await pause(PAUSE_MS);
    return;
  }
  try {
    const content = await readFile(file, 'utf8').catch(nothingWhenGone);
    // One that is gone already may be made anew by somebody else before it could be deleted.
    if (content === undefined || (await holderOf(file, content)) !== undefined) return;
    await unlink(file).catch(nothingWhenGone);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
};

/** Tries to make the lock. @returns who holds it, 0 when it changed hands all the time; undefined when it is ours */
const lock = async (file: string): Promise<number | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createWholeFile(file, OWN, OPTIONS)) return undefined;
    const content = await readFile(file, 'utf8').catch(nothingWhenGone);
    if (content === undefined) continue;
    const holder = await holderOf(file, content);
    if (holder !== undefined) return holder;
    await takeAway(file);
  }
  return 0;
};

const released = (file: string): (() => Promise<void>) => {
  let isOurs = true;
  return async () => {
    if (!isOurs) return;
    isOurs = false;
    await unlink(file).catch(() => undefined);
    held.delete(file);
  };
};

/**
 * Claims a directory for this process, so that two processes of one machine do not write to it. What a process left that is gone
 * counts for nothing. Rejects when the directory cannot be written to.
 */
export const claimDirectory = async (directory: string): Promise<DirectoryClaim> => {
  const file = path.join(path.resolve(directory), NAME);
  if (held.has(file)) return { ok: false, holder: process.pid };
  held.add(file);
  try {
    const holder = await lock(file);
    if (holder === undefined) return { ok: true, release: released(file) };
    held.delete(file);
    return { ok: false, holder };
  } catch (error) {
    held.delete(file);
    throw error;
  }
};
