import process from 'node:process';

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
