import type { Logger } from 'pino';

/** A running worker, as its pool sees it. */
export interface PoolWorker {
  readonly pid: number | undefined;
  /** Resolves when it serves; rejects when it says that it cannot. */
  readonly listening: Promise<string>;
  /** Resolves with the cause of its end, however it came to it. */
  readonly ended: Promise<WorkerEnd>;
  /** Lets running requests finish, then ends it. */
  drain(): void;
  /** Ends it at once. */
  kill(): void;
}

/** How a worker ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How a pool is services. */
export interface PoolOptions {
  readonly size: number;
  /** Starts the worker with this number, from 1 on. */
  readonly start: (number: number) => PoolWorker;
  readonly logger: Logger;
  /** Is told of each worker that was replaced. */
  readonly onReplaced?: () => void;
  readonly backoff?: Partial<ReplacementBackoff>;
}

/** How fast workers are replaced, in milliseconds. */
export interface ReplacementBackoff {
  /** Before the second replacement in a row; the first comes at once, and each further one waits twice as long. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** A worker that lived this long starts the count anew. */
  readonly stableAfterMs: number;
}

const DEFAULT_BACKOFF: ReplacementBackoff = {
  initialMs: 250,
  maxMs: 10_000,
  stableAfterMs: 30_000,
};

/** How long to wait before the replacement of a worker, after so many short lives in a row. */
export function replacementDelayMs(shortLives: number, backoff: ReplacementBackoff): number {
  if (shortLives === 0) return 0;
  return Math.min(backoff.maxMs, backoff.initialMs * 2 ** Math.min(shortLives - 1, 30));
}

/** Keeps a number of workers running. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #backoff: ReplacementBackoff;
  readonly #running = new Map<number, PoolWorker>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #lives: Promise<void>[] = [];
  /** Resolves with the address once all of the first workers serve; rejects when one of them does not come to it. */
  readonly listening: Promise<string>;
  #hasStarted = false;
  #isEnding = false;

  /** Starts all of them. */
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

  /** Lets all workers finish what runs, and ends those that have not after `timeoutMs`. Nothing is replaced any more. */
  async drain(timeoutMs: number): Promise<void> {
    this.#end();
    for (const worker of this.#running.values()) worker.drain();
    const cut = setTimeout(() => {
      this.#killAll();
    }, timeoutMs);
    await Promise.all(this.#lives);
    clearTimeout(cut);
  }

  /** Ends all workers at once. */
  async close(): Promise<void> {
    this.#end();
    this.#killAll();
    await Promise.all(this.#lives);
  }

  #end(): void {
    this.#isEnding = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #killAll(): void {
    for (const worker of this.#running.values()) worker.kill();
  }

  #launch(number: number, shortLives: number): void {
    const startedAt = performance.now();
    const worker = this.#options.start(number);
    this.#running.set(number, worker);
    // At the start whoever waits for `listening` hears of it.
    worker.listening.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#hasStarted && !this.#isEnding)
        this.#options.logger.error({ worker: number, reason }, 'worker cannot serve');
    });
    const life = worker.ended.then((end) => {
      this.#running.delete(number);
      if (this.#isEnding) return;
      const isStable = performance.now() - startedAt >= this.#backoff.stableAfterMs;
      this.#replace(number, { worker, end, shortLives: isStable ? 0 : shortLives });
    });
    this.#lives[number - 1] = life;
  }

  #replace(
    number: number,
    { worker, end, shortLives }: { worker: PoolWorker; end: WorkerEnd; shortLives: number },
  ): void {
    const { logger, onReplaced } = this.#options;
    const delayMs = replacementDelayMs(shortLives, this.#backoff);
    const { code, signal } = end;
    const facts = { worker: number, pid: worker.pid, ...(signal === null ? { code } : { signal }) };
    logger.error({ ...facts, restartMs: delayMs }, 'worker ended, starting another');
    onReplaced?.();
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#launch(number, shortLives + 1);
    }, delayMs);
    this.#timers.add(timer);
  }
}
