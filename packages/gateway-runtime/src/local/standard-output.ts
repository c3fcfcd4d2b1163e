import { write } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeBytes = promisify(write);

const DESCRIPTOR = 1;
const FULL_PAUSE_MS = 20;

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Writes lines to standard output. `process.stdout` writes to a pipe synchronously, so that a reader which stops reading would stop
 * the process.
 */
export class StandardOutput {
  /** The bytes of a failed append that are already written. */
  #written = 0;

  /** Standard output is open. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  /** Appends lines. After a failure the same lines are expected, and only their rest is written. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    while (this.#written < bytes.length) {
      const rest = bytes.subarray(this.#written);
      try {
        const { bytesWritten } = await writeBytes(DESCRIPTOR, rest, 0, rest.length, null);
        this.#written += bytesWritten;
      } catch (error) {
        if (!isFull(error)) throw error;
        await setTimeout(FULL_PAUSE_MS);
      }
    }
    this.#written = 0;
  }

  /** Standard output stays open: it belongs to the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
