import process from 'node:process';

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
