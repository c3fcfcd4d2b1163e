import process from 'node:process';
import { workerData } from 'node:worker_threads';

/** Milliseconds after which the end of the parent process is noticed. */
const INTERVAL_MS = 1000;

/** Ends this process with its parent, from a thread that its work does not occupy. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MS);
