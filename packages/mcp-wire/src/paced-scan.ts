import type { JsonScan } from './json-scan.ts';

/** Maximum time of all scans in one turn of the event loop, in milliseconds. */
const TURN_MS = 4;

/** Bytes between two readings of the clock. */
const STEP_BYTES = 32 * 1024;

/** A text up to this size is scanned at once. */
export const UNPACED_BYTES = 128 * 1024;

interface PendingScan {
  readonly scan: JsonScan;
  readonly done: () => void;
}

const pending: PendingScan[] = [];

/** One turn: all scans of the process share its time and take turns, so that neither a large text nor many of them delay other work. */
const turn = (): void => {
  const start = performance.now();
  do {
    const first = pending.shift();
    if (first === undefined) return;
    if (first.scan.advance(STEP_BYTES)) first.done();
    else pending.push(first);
  } while (performance.now() - start < TURN_MS);
  if (pending.length > 0) setImmediate(turn);
};

/** Runs a scan to its end in slices, and resolves then. */
export const scanPaced = (scan: JsonScan): Promise<void> =>
  new Promise((done) => {
    pending.push({ scan, done });
    if (pending.length === 1) setImmediate(turn);
  });
