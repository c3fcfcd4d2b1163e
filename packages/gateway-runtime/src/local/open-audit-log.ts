import { resolve } from 'node:path';
import { RotatingLines, formatWriteFailure } from '@gateway/files';
import type { GatewayConfig } from '@gateway/gateway-config';
import { computeBackoffDelay, isResolvedWithin } from '@gateway/call-contract';
import type { Logger } from 'pino';
import { write } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Limits of the queue before the file. */
interface LineQueueLimits {
  /** Maximum number of characters that wait to be written; further lines are lost. */
  readonly maxWaiting: number;
  /** Maximum number of characters of one write. */
  readonly batch: number;
  /** Time for which lines are collected, in milliseconds. */
  readonly gatherMs: number;
  /** Delay before the first retry of a failed write, in milliseconds. It doubles up to 30 seconds. */
  readonly retryMs: number;
  /** Time that closing waits for the last writes, in milliseconds. */
  readonly closeMs: number;
}

/** The default limits. */
export const LINE_QUEUE_LIMITS: LineQueueLimits = {
  maxWaiting: 16 * 1024 * 1024,
  batch: 256 * 1024,
  gatherMs: 100,
  retryMs: 500,
  closeMs: 2000,
};

const MAX_RETRY_MS = 30_000;

/** The destination of lines: a file, or standard output. */
interface LineWriter {
  /** Rejects when lines cannot be appended now. */
  readonly open: () => Promise<void>;
  /** Appends whole lines. Rejects when they are not written; then the same lines are appended again. */
  readonly append: (lines: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface LineQueueOptions {
  /** Counts lines that were not written. */
  readonly onLost: (lines: number) => void;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** A queue of lines before a writer. Nothing waits for a write, and a failing writer costs at most the lines that do not fit. */
export class QueuedLines {
  readonly #writer: LineWriter;
  readonly #options: LineQueueOptions;
  readonly #limits: LineQueueLimits;
  #lines: string[] = [];
  #waiting = 0;
  #lost = 0;
  #failures = 0;
  #isClosing = false;
  #isClosed = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(
    writer: LineWriter,
    options: LineQueueOptions,
    limits: LineQueueLimits = LINE_QUEUE_LIMITS,
  ) {
    this.#writer = writer;
    this.#options = options;
    this.#limits = limits;
  }

  /** Opens the destination. When that fails, one warning is logged before the first line, and lines are written as soon as they can be. */
  readonly open = (): void => {
    this.#running ??= this.#open();
  };

  /** Accepts one line without its line feed. Returns at once and never throws: a line that cannot be stored is counted as lost. */
  readonly write = (line: string): void => {
    if (this.#isClosed || this.#waiting + line.length > this.#limits.maxWaiting) {
      this.#lose(1);
      return;
    }
    this.#waiting += line.length + 1;
    this.#lines.push(line);
    this.#running ??= this.#run();
  };

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    this.#wake?.();
    await isResolvedWithin(this.#running ?? Promise.resolve(), this.#limits.closeMs);
    this.#isClosed = true;
    if (this.#lines.length > 0) this.#lose(this.#lines.length);
    await this.#writer.close().catch(() => undefined);
  };

  async #open(): Promise<void> {
    await this.#attempt(() => this.#writer.open());
    await this.#run();
  }

  async #run(): Promise<void> {
    while (this.#lines.length > 0) {
      await this.#pause(this.#nextPause());
      const lines = this.#nextBatch();
      if (await this.#attempt(() => this.#writer.append(`${lines.join('\n')}\n`)))
        this.#remove(lines);
      else if (this.#isClosing) return;
    }
    this.#running = undefined;
  }

  /** A full batch does not wait for more lines. */
  #nextPause(): number {
    const { gatherMs, retryMs, batch } = this.#limits;
    if (this.#failures > 0)
      return computeBackoffDelay(this.#failures - 1, { firstMs: retryMs, maxMs: MAX_RETRY_MS });
    return this.#waiting >= batch ? 0 : gatherMs;
  }

  #nextBatch(): readonly string[] {
    let size = 0;
    const end = this.#lines.findIndex((line) => {
      size += line.length + 1;
      return size > this.#limits.batch;
    });
    return this.#lines.slice(0, end === -1 ? undefined : Math.max(1, end));
  }

  async #attempt(use: () => Promise<void>): Promise<boolean> {
    const { logger } = this.#options;
    try {
      await use();
      if (this.#failures > 0) logger.info({ lost: this.#lost }, 'the audit log is written again');
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1)
        logger.warn(
          `the audit log cannot be written: ${formatWriteFailure(error)}; it is tried again`,
        );
      return false;
    }
  }

  #remove(lines: readonly string[]): void {
    this.#lines = this.#lines.slice(lines.length);
    for (const line of lines) this.#waiting -= line.length + 1;
  }

  #lose(lines: number): void {
    const { logger, onLost } = this.#options;
    if (this.#lost === 0)
      logger.warn(
        'records of the audit log are lost; gateway_audit_records_lost_total counts them',
      );
    this.#lost += lines;
    onLost(lines);
  }

  /** Waits, and no longer when the log closes. */
  #pause(ms: number): Promise<void> {
    if (this.#isClosing || ms === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const writeBytes = promisify(write);

const DESCRIPTOR = 1;
const FULL_PAUSE_MS = 20;

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Writes lines to standard output. `process.stdout` writes to a pipe synchronously, so that a reader which stops reading would stop
 * the process.
 */
class StandardOutput {
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
        await pause(FULL_PAUSE_MS);
      }
    }
    this.#written = 0;
  }

  /** Standard output stays open: it belongs to the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The value of `audit.file` that means standard output. */
const STANDARD_OUTPUT = '-';

interface AuditLogOptions extends LineQueueOptions {
  readonly config: Pick<GatewayConfig, 'audit'>;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
}

/** Opens the audit log; `undefined` without `audit.file`. Logs a warning when its file cannot be written. */
export function openAuditLog(options: AuditLogOptions): QueuedLines | undefined {
  const { config, directory = '.' } = options;
  const { file, maxBytes, maxFiles } = config.audit;
  if (file === undefined) return undefined;
  const writer =
    file === STANDARD_OUTPUT
      ? new StandardOutput()
      : new RotatingLines(resolve(directory, file), { maxBytes, maxFiles });
  const batch = Math.min(LINE_QUEUE_LIMITS.batch, maxBytes);
  const lines = new QueuedLines(writer, options, { ...LINE_QUEUE_LIMITS, batch });
  lines.open();
  return lines;
}

/** Returns why the audit log cannot be on standard output of `gateway stdio`; `undefined` when it is elsewhere. */
export const validateAuditOutput = ({ audit }: Pick<GatewayConfig, 'audit'>): string | undefined =>
  audit.file === STANDARD_OUTPUT
    ? 'audit.file is "-": over stdio, standard output carries the protocol; set the path of a file'
    : undefined;
