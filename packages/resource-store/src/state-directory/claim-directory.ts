import { createHash } from 'node:crypto';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorCodeOf } from '../files/error-code.ts';

/** Who uses a directory, or the way to let go of it. */
export type DirectoryClaim =
  | { readonly ok: true; readonly release: () => Promise<void> }
  | { readonly ok: false; readonly holder: number };

const NAME = '.lock';
const ATTEMPTS = 5;
const MACHINE = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const CONTENT = /^([0-9a-f]{8}) (\d{1,10})\n$/;
/** The file system's clock and the system's own differ by a little, in milliseconds. */
const CLOCK_SLACK_MS = 2_000;

/** Locks that this process holds, since a process id says nothing about them. */
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

/** The process that holds a lock; undefined when nobody does any more. */
const holderOf = async (file: string): Promise<number | undefined> => {
  try {
    const [, machine, id] = CONTENT.exec(await readFile(file, 'utf8')) ?? [];
    const pid = Number(id);
    if (pid === process.pid) return held.has(file) ? pid : undefined;
    // What another machine wrote cannot be asked about: one directory is for one gateway.
    if (machine !== MACHINE) return undefined;
    return (await isHolder(pid, (await stat(file)).mtimeMs)) ? pid : undefined;
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const made = async (file: string): Promise<boolean> => {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${MACHINE} ${String(process.pid)}\n`).finally(() => handle.close());
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const nothingWhenGone = (error: unknown): void => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
};

const claimed = (file: string): DirectoryClaim => {
  held.add(file);
  return {
    ok: true,
    release: async () => {
      if (held.delete(file)) await unlink(file).catch(() => undefined);
    },
  };
};

/**
 * Claims a directory for this process, so that two processes of one machine do not write to it. What a process left that is gone
 * counts for nothing. Rejects when the directory cannot be written to.
 */
export const claimDirectory = async (directory: string): Promise<DirectoryClaim> => {
  const file = path.join(path.resolve(directory), NAME);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await made(file)) return claimed(file);
    const holder = await holderOf(file);
    if (holder !== undefined) return { ok: false, holder };
    await unlink(file).catch(nothingWhenGone);
  }
  return { ok: false, holder: 0 };
};
