import process from 'node:process';

/** A reader such as `head` closes the pipe when it has read enough; that is not a failure. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** Ends this process without an error when the reader of stdout or stderr closes the pipe. */
export function exitWhenReaderCloses(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', exitOnClosedPipe);
}

/** The result of a command: success, failure at run time, refused configuration or usage, ended by Ctrl+C before its result. */
export type CommandResult = 'succeeded' | 'failed' | 'refused' | 'interrupted';

/** The exit code of each result. */
export const EXIT_CODES: Readonly<Record<CommandResult, number>> = {
  succeeded: 0,
  failed: 1,
  refused: 2,
  // 128 and the number of SIGINT, as shells report it.
  interrupted: 130,
};

/** Time that running calls have to finish after SIGTERM, in milliseconds. With the stop of servers and stores it stays within 10 s. */
export const DRAIN_TIMEOUT_MS = 8_000;

/** Interval at which the parent process is checked, in milliseconds. */
const CHECK_MS = 500;

/**
 * Sends this process SIGTERM when the `npx` that started the program `bin` ends. npx passes no signal on: without this the program continues
 * without its terminal after `kill <pid of npx>`. Does nothing when something else started the program.
 */
export function stopWithNpx(bin: string): void {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = process.env;
  // npm quotes the name of the program.
  if (event !== 'npx' || script.split(' ', 1)[0]?.replaceAll(/['"]/gu, '') !== bin) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS).unref();
}

/** A process group signal arrives twice, milliseconds apart, when the parent also forwards it. */
const DUPLICATE_SIGNAL_MS = 300;

/** Resolves with the first SIGTERM or SIGINT. A later signal ends the process at once. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let receivedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (receivedAt === undefined) {
        receivedAt = now;
        resolve(signal);
      } else if (now - receivedAt > DUPLICATE_SIGNAL_MS) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
}
