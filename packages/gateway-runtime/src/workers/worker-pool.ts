import type { Logger } from 'pino';

/** A running worker, as its pool sees it. */
export interface PoolWorker {
  readonly pid: number | undefined;
  /** Resolves with its URL when it serves; rejects when it fails to start. */
  readonly listening: Promise<string>;
  /** Resolves with the reason of its exit. */
  readonly ended: Promise<WorkerEnd>;
  /** Waits for running requests, then ends the worker. */
  drain(): void;
  /** Kills it. */
  kill(): void;
}

/** Exit code and signal of a worker. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Options of {@link WorkerPool}. */
export interface PoolOptions {
  readonly size: number;
  /** Starts the worker with this number, from 1 on. */
  readonly start: (number: number) => PoolWorker;
  readonly logger: Logger;
  /** Called for each worker that is replaced. */
  readonly onReplaced?: () => void;
  readonly backoff?: Partial<ReplacementBackoff>;
}

/** Exponential backoff of replacements, in milliseconds. */
export interface ReplacementBackoff {
  /** Delay of the second consecutive replacement. The first has none; each further one doubles it. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** A worker that ran this long resets the delay. */
  readonly stableAfterMs: number;
}

const DEFAULT_BACKOFF: ReplacementBackoff = {
  initialMs: 250,
  maxMs: 10_000,
  stableAfterMs: 30_000,
};

/** Returns the delay before a worker is replaced, after a number of consecutive early exits. */
export function replacementDelayMs(earlyExits: number, backoff: ReplacementBackoff): number {
  if (earlyExits === 0) return 0;
  return Math.min(backoff.maxMs, backoff.initialMs * 2 ** Math.min(earlyExits - 1, 30));
}

/** Runs a fixed number of workers and replaces those that end. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #backoff: ReplacementBackoff;
  readonly #running = new Map<number, PoolWorker>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #exits: Promise<void>[] = [];
  /** Resolves with the URL when all first workers serve; rejects when one of them fails to start. */
  readonly listening: Promise<string>;
  #hasStarted = false;
  #isEnding = false;

  /** Starts all workers. */
  constructor(options: PoolOptions) {
    this.#options = options;
    this.#backoff = { ...DEFAULT_BACKOFF, ...options.backoff };
    for (let number = 1; number <= options.size; number += 1) this.#launch(number, 0);
    const first = [...this.#running.values()].map(({ listening }) => listening);
    this.listening = Promise.all(first).then(([url = '']) => {
      this.#hasStarted = true;
      return url;
    });
  }

  /** Drains all workers and kills those that still run after `timeoutMs`. No worker is replaced afterwards. */
  async drain(timeoutMs: number): Promise<void> {
    this.#end();
    for (const worker of this.#running.values()) worker.drain();
    const killTimer = setTimeout(() => {
      this.#killAll();
    }, timeoutMs);
    await Promise.all(this.#exits);
    clearTimeout(killTimer);
  }

  /** Kills all workers. */
  async close(): Promise<void> {
    this.#end();
    this.#killAll();
    await Promise.all(this.#exits);
  }

  #end(): void {
    this.#isEnding = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #killAll(): void {
    for (const worker of this.#running.values()) worker.kill();
  }

  #launch(number: number, earlyExits: number): void {
    const startedAt = performance.now();
    const worker = this.#options.start(number);
    this.#running.set(number, worker);
    // During the start the pool rejects `listening` instead.
    worker.listening.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#hasStarted && !this.#isEnding)
        this.#options.logger.error({ worker: number, reason }, 'worker cannot serve');
    });
    const exit = worker.ended.then((end) => {
      this.#running.delete(number);
      if (this.#isEnding) return;
      const isStable = performance.now() - startedAt >= this.#backoff.stableAfterMs;
      this.#replace(number, { worker, end, earlyExits: isStable ? 0 : earlyExits });
    });
    this.#exits[number - 1] = exit;
  }

  #replace(
    number: number,
    { worker, end, earlyExits }: { worker: PoolWorker; end: WorkerEnd; earlyExits: number },
  ): void {
    const { logger, onReplaced } = this.#options;
    const delayMs = replacementDelayMs(earlyExits, this.#backoff);
    const { code, signal } = end;
    const facts = { worker: number, pid: worker.pid, ...(signal === null ? { code } : { signal }) };
    logger.error({ ...facts, restartMs: delayMs }, 'worker ended, starting another');
    onReplaced?.();
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#launch(number, earlyExits + 1);
    }, delayMs);
    this.#timers.add(timer);
  }
}
