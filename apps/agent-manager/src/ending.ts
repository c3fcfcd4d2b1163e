/** How a run ended; the command line turns it into an exit code. */
export type Ending = 'fine' | 'failed' | 'refused';

/** How long running requests may go on after SIGTERM, in milliseconds: with the end of the store it stays within 10 s. */
export const DRAIN_MS = 8_000;
