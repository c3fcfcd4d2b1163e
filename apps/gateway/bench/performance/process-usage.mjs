import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of `/proc/<pid>/stat`, a second. */
const TICKS = 100;
const NANOSECONDS = 1_000_000;

/** Milliseconds of the threads that run: exact, without threads that have ended. */
const threadMs = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0) / NANOSECONDS;

/** Milliseconds of all threads, also of those that have ended, rounded down to ticks. */
const tickMs = (pid) => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
};

/**
 * Returns the processor time that a process has taken since its start, in milliseconds, without its children.
 * Both sources are lower bounds, so the larger one is nearer.
 */
export const cpuMsOf = (pid) => Math.max(threadMs(pid), tickMs(pid));

/** Returns the resident memory of a process, in MB of 1,048,576 bytes. */
export const rssMbOf = (pid) =>
  Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
