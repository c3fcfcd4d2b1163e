import type { JsonMap } from '@gateway/crd-schemas';
import { refuseYaml } from '@gateway/files';
import type { ExternalYamlParser } from '@gateway/resource-store';
import type { IsolatedResult, IsolatedWork, IsolationLimits } from '@gateway/workflow-engine';
import { finishPaced, joinParts, splitValue } from './value-parts.ts';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { FairQueue, type Turn } from '@gateway/call-contract';
import { Tinypool } from 'tinypool';
import type * as program from './worker-program.ts';

type Program = Pick<typeof program, 'render' | 'parseYaml'>;

/** The result of work, or why it has none. */
type WorkOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: 'cancelled' | 'too-long' | 'ended' | 'not-started' }
  | { readonly ok: false; readonly failure: 'error'; readonly message: string };

/** Work for a process of a pool. */
interface Work<Name extends keyof Program, Result> {
  readonly name: Name;
  /** Returns the input of the function. Called when the work begins. */
  readonly input: () => Promise<Parameters<Program[Name]>[0]>;
  /** Reads the output of the function. */
  readonly read: (output: ReturnType<Program[Name]>) => Result | Promise<Result>;
  readonly turn: Turn;
  readonly signal?: AbortSignal;
}

/** The limits of a pool. */
interface PoolLimits extends IsolationLimits {
  /** Milliseconds without work after which a process ends. */
  readonly idleMs: number;
}

const MIB = 1024 * 1024;

/** True when the package runs from its sources. */
const isSource = import.meta.url.endsWith('.ts');
const PROGRAM = new URL(`./worker-program.${isSource ? 'ts' : 'js'}`, import.meta.url);

const CANCELLED = { ok: false, failure: 'cancelled' } as const;
const TOO_LONG = { ok: false, failure: 'too-long' } as const;
const NOT_STARTED = { ok: false, failure: 'not-started' } as const;

/**
 * Does work in processes with a heap limit. They start with the first work and end when they are idle, when their work is cancelled or takes
 * too long, and with this process. A process that ends fails its own work only.
 */
class WorkerPool {
  readonly #limits: PoolLimits;
  readonly #waiting = new FairQueue<(mayStart: boolean) => void>();
  #running = 0;
  #isClosed = false;
  #workers: Tinypool;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#workers = startWorkers(limits);
  }

  /** Does work when it has its turn. Never rejects. */
  async run<Name extends keyof Program, Result>(
    work: Work<Name, Result>,
  ): Promise<WorkOutcome<Result>> {
    if (!(await this.#enter(work.turn, work.signal))) return CANCELLED;
    try {
      return await this.#do(work);
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Ends all processes. Their work is cancelled. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#waiting.take(); next !== undefined; next = this.#waiting.take())
      next(false);
    void this.#workers.destroy();
  }

  /** Takes a place of a process. Resolves with `false` when the work is cancelled first. */
  #enter(turn: Turn, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#isCancelled(signal)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = (): void => {
        this.#waiting.remove(start, turn);
        resolve(false);
      };
      const start = (mayStart: boolean): void => {
        signal?.removeEventListener('abort', cancel);
        resolve(mayStart);
      };
      this.#waiting.add(start, turn);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#startNext();
    });
  }

  #isCancelled(signal: AbortSignal | undefined): boolean {
    return this.#isClosed || signal?.aborted === true;
  }

  #startNext(): void {
    if (this.#running >= this.#limits.processes) return;
    const next = this.#waiting.take();
    if (next === undefined) return;
    this.#running += 1;
    next(true);
  }

  async #do<Name extends keyof Program, Result>({
    name,
    input,
    read,
    signal,
  }: Work<Name, Result>): Promise<WorkOutcome<Result>> {
    const stop = new AbortController();
    const cancel = (): void => {
      stop.abort(CANCELLED);
    };
    const timer = setTimeout(() => {
      stop.abort(TOO_LONG);
    }, this.#limits.timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const given = await input();
      // The signal may have been aborted before there was a listener.
      if (this.#isCancelled(signal)) return CANCELLED;
      const posted = await this.#post<Name>(name, given, stop.signal);
      if (posted.ok) return { ok: true, result: await read(posted.result) };
      if (this.#isCancelled(signal)) return CANCELLED;
      return stop.signal.aborted ? (stop.signal.reason as typeof TOO_LONG) : posted;
    } catch (error) {
      return { ok: false, failure: 'error', message: (error as Error).message };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Gives work to a process, which starts if necessary. */
  async #post<Name extends keyof Program>(
    name: Name,
    input: object,
    signal: AbortSignal,
  ): Promise<WorkOutcome<ReturnType<Program[Name]>>> {
    let running: Promise<unknown>;
    subscribe(CREATED, ignoreErrors);
    try {
      running = this.#workers.run(input, { name, signal });
    } catch {
      // After a start that the system refused at once, the library starts no more processes.
      this.#workers = startWorkers(this.#limits);
      return NOT_STARTED;
    } finally {
      unsubscribe(CREATED, ignoreErrors);
    }
    try {
      return { ok: true, result: (await running) as ReturnType<Program[Name]> };
    } catch (error) {
      if (error instanceof Error)
        return error.name === 'CancelError' ? NOT_STARTED : { ok: false, failure: 'ended' };
      // An error of the function arrives as a copy.
      return { ok: false, failure: 'error', message: String((error as Partial<Error>).message) };
    }
  }
}

/** Node reports each process here when it is created. */
const CREATED = 'child_process';

/** The library listens to the errors of a process too late for some of them, which would end the gateway. The end of the process reports them. */
const ignoreErrors = (created: unknown): void => {
  (created as { readonly process: ChildProcess }).process.on('error', () => undefined);
};

const startWorkers = ({ processes, memoryBytes, idleMs }: PoolLimits): Tinypool => {
  const workers = new Tinypool({
    filename: PROGRAM.href,
    runtime: 'child_process',
    serialization: 'advanced',
    minThreads: 0,
    maxThreads: processes,
    idleTimeout: idleMs,
    execArgv: [
      `--max-old-space-size=${String(Math.ceil(memoryBytes / MIB))}`,
      '--max-semi-space-size=8',
      ...(isSource ? ['--conditions=@gateway/source', '--no-warnings'] : []),
    ],
    env: createEnvironment(),
  });
  // A task waits here for the start of its process only.
  workers.on('error', () => {
    if (workers.threads.length === 0) workers.cancelPendingTasks();
  });
  return workers;
};

/** Windows needs the directory of the system; nothing else of the environment is passed on. */
const createEnvironment = (): Record<string, string> => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

/** Does the large work of runs in other processes. */
export interface Isolation {
  /** Never rejects. */
  readonly isolate: (work: IsolatedWork) => Promise<IsolatedResult>;
  /** Ends all processes. Their work fails. */
  readonly close: () => void;
}

/** Creates the isolation of runs, without processes until there is work. */
export function createIsolation(limits: IsolationLimits): Isolation {
  const pool = new WorkerPool({ ...limits, idleMs: 30_000 });
  const failures = {
    cancelled: 'cancelled',
    'too-long': `the rendering takes longer than the ${String(limits.timeoutMs / 1000)} s allowed (renderTimeoutSeconds)`,
    ended: `the rendering needs more than the ${String(limits.memoryBytes)} bytes of memory allowed (renderMemoryBytes)`,
    'not-started': 'the process that renders large templates cannot be started',
  };
  return {
    isolate: async ({ work, turn, signal }) => {
      const outcome = await pool.run({
        name: 'render',
        // The messages of a large value would block this process otherwise.
        input: () => finishPaced(splitValue(work())),
        read: async (parts) => (await finishPaced(joinParts(parts))) as JsonMap,
        turn,
        signal,
      });
      if (outcome.ok) return { ok: true, value: outcome.result };
      return {
        ok: false,
        error: 'message' in outcome ? outcome.message : failures[outcome.failure],
      };
    },
    close: () => {
      pool.close();
    },
  };
}

const YAML_LIMITS: PoolLimits = {
  processes: 1,
  memoryBytes: 512 * 1024 * 1024,
  timeoutMs: 30_000,
  // A process takes 90 MB, and most texts are read at the start.
  idleMs: 1000,
};

/** Creates a function that parses large YAML texts in another process, one after the other. */
export function createYamlParser(): ExternalYamlParser {
  const pool = new WorkerPool(YAML_LIMITS);
  return async (text, paths = []) => {
    const outcome = await pool.run({
      name: 'parseYaml',
      input: () => Promise.resolve({ text, paths }),
      read: (answer) => Promise.resolve(answer),
      turn: { user: '' },
    });
    if (outcome.ok) return outcome.result;
    return refuseYaml(
      outcome.failure === 'too-long'
        ? `takes longer than ${String(YAML_LIMITS.timeoutMs / 1000)} seconds to parse`
        : 'cannot be parsed: the parser ran out of memory or could not start',
    );
  };
}
