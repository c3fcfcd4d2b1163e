import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimFile,
  errorCodeOf,
  KeyedQueue,
  removeLeftOvers,
  type FileClaim,
} from '@gateway/resource-store';
import { LONGEST_WRITE_MS, WAIT_FOR_OTHERS_MS } from './limits.ts';

/** A claim that was come by. */
export type Claim = Extract<FileClaim, { ok: true }>;

const FOLDER = '.locks';
const KEY = /^[a-z]+\.[-a-z0-9]+\.[-a-z0-9]*[a-z0-9]$/;
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * One at a time per file, among all processes that have the directory: who changes a file looks at what it is, and nobody else may
 * change it from there on until it is done. What a process claimed that is gone counts for nothing.
 */
export class FileClaims {
  readonly #folder: string;
  readonly #queue = new KeyedQueue();

  /** @param root the directory of the store */
  constructor(root: string) {
    this.#folder = path.join(root, FOLDER);
  }

  /** Runs a task that is alone with what the key names; the task is not run when somebody else has it for too long. */
  run<T>(
    key: string,
    task: (claim: Claim) => Promise<T>,
  ): Promise<T | { readonly heldBy: number }> {
    return this.#queue.run(key, async () => {
      const claim = await this.#claim(path.join(this.#folder, key));
      if (!claim.ok) return { heldBy: claim.holder };
      try {
        return await task(claim);
      } finally {
        await claim.release();
      }
    });
  }

  /** Removes what processes left that are gone. Never rejects. */
  async sweep(): Promise<void> {
    await removeLeftOvers(this.#folder);
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((key) => KEY.test(key))) {
      const claim = await this.#attempt(path.join(this.#folder, name)).catch(() => undefined);
      if (claim?.ok === true) await claim.release();
    }
  }

  /** Waits for what is running. */
  async close(): Promise<void> {
    await this.#queue.idle();
  }

  async #claim(file: string): Promise<FileClaim> {
    const endsAt = performance.now() + WAIT_FOR_OTHERS_MS;
    for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const claim = await this.#attempt(file);
      if (claim.ok || performance.now() > endsAt) return claim;
      // Not in step with others who wait.
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }

  async #attempt(file: string): Promise<FileClaim> {
    try {
      return await claimFile(file, { foreignMs: LONGEST_WRITE_MS });
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      await mkdir(this.#folder).catch((failure: unknown) => {
        if (errorCodeOf(failure) !== 'EEXIST') throw failure;
      });
      return claimFile(file, { foreignMs: LONGEST_WRITE_MS });
    }
  }
}
