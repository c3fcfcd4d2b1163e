import { FairQueue } from '@gateway/call-contract';
import type { IsolatedResult, IsolatedWork, IsolationLimits } from '@gateway/workflow-engine';
import { IsolatedProcess } from './isolated-process.ts';

/** Does isolated work in processes that start when they are needed and end when they are idle. */
export interface IsolationPool {
  /** Never rejects. */
  readonly isolate: (work: IsolatedWork) => Promise<IsolatedResult>;
  /** Ends all processes. Their work fails. */
  readonly close: () => void;
}

/** Milliseconds without work after which a process ends. */
const IDLE_MS = 30_000;

interface Job extends IsolatedWork {
  readonly end: (result: IsolatedResult) => void;
}

const CANCELLED = 'cancelled';

const NOT_STARTED = 'the process that renders large templates cannot be started';

const failed = (text: string): IsolatedResult => ({ ok: false, text });

/** One place of the pool: a process that is started when there is work. */
class IsolationPlace {
  readonly #limits: IsolationLimits;
  #process: IsolatedProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: IsolationLimits) {
    this.#limits = limits;
  }

  async do(job: Job): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running();
    job.end(running === undefined ? failed(NOT_STARTED) : await this.#resultOf(job, running));
    this.#idle = setTimeout(() => {
      this.close();
    }, IDLE_MS).unref();
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }

  /** Returns the process, started if necessary. Returns `undefined` when the system starts none, without memory or file descriptors. */
  #running(): IsolatedProcess | undefined {
    if (this.#process?.isAlive === true) return this.#process;
    try {
      const started = new IsolatedProcess(this.#limits.memoryBytes);
      this.#process = started.isStarted ? started : undefined;
    } catch {
      this.#process = undefined;
    }
    return this.#process;
  }

  async #resultOf({ work, signal }: Job, worker: IsolatedProcess): Promise<IsolatedResult> {
    const { timeoutMs, memoryBytes } = this.#limits;
    let text = `the rendering needs more than the ${String(memoryBytes)} bytes of memory allowed (renderMemoryBytes)`;
    const stop = (reason: string): void => {
      text = reason;
      worker.kill();
    };
    const cancel = (): void => {
      stop(CANCELLED);
    };
    const timer = setTimeout(() => {
      stop(
        `the rendering takes longer than the ${String(timeoutMs / 1000)} s allowed (renderTimeoutSeconds)`,
      );
    }, timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return { ok: true, result: await worker.do(work()) };
    } catch (error) {
      // The process did not end: the work itself failed.
      if (worker.isAlive && error instanceof TypeError) return failed(error.message);
      // Its end may be known later than the failure: the next work gets another process.
      worker.kill();
      return failed(text);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** Distributes jobs to places. */
class Pool implements IsolationPool {
  readonly #queue = new FairQueue<Job>();
  readonly #places: readonly IsolationPlace[];
  readonly #free: IsolationPlace[];
  #isClosed = false;

  constructor(limits: IsolationLimits) {
    this.#places = Array.from({ length: limits.processes }, () => new IsolationPlace(limits));
    this.#free = [...this.#places];
  }

  readonly isolate = (work: IsolatedWork): Promise<IsolatedResult> =>
    new Promise((resolve) => {
      if (this.#isClosed || work.signal.aborted) {
        resolve(failed(CANCELLED));
        return;
      }
      const cancel = (): void => {
        this.#queue.remove(job, job.turn);
        resolve(failed(CANCELLED));
      };
      const end = (result: IsolatedResult): void => {
        work.signal.removeEventListener('abort', cancel);
        resolve(result);
      };
      const job: Job = { ...work, end };
      work.signal.addEventListener('abort', cancel, { once: true });
      this.#queue.add(job, job.turn);
      this.#start();
    });

  readonly close = (): void => {
    this.#isClosed = true;
    for (const place of this.#places) place.close();
    for (let job = this.#queue.take(); job !== undefined; job = this.#queue.take()) {
      job.end(failed(CANCELLED));
    }
  };

  #start(): void {
    const place = this.#free.at(-1);
    const job = place && this.#queue.take();
    if (place === undefined || job === undefined) return;
    this.#free.pop();
    void place.do(job).finally(() => {
      this.#free.push(place);
      if (this.#isClosed) place.close();
      this.#start();
    });
  }
}

/** Creates a pool without processes. */
export function createIsolationPool(limits: IsolationLimits): IsolationPool {
  return new Pool(limits);
}
