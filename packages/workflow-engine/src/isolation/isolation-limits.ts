/** The limits of the processes that do isolated work. */
export interface IsolationLimits {
  /** Processes that do work at the same time. */
  readonly processes: number;
  /** Heap limit of a process, in bytes. */
  readonly memoryBytes: number;
  /** Time limit of one piece of work, in milliseconds. */
  readonly timeoutMs: number;
}

/** The limits where nothing else is configured. */
export const ISOLATION_LIMITS: IsolationLimits = Object.freeze({
  processes: 1,
  memoryBytes: 64 * 1024 * 1024,
  timeoutMs: 10_000,
});
