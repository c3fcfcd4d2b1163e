import type { JsonScan } from './json-scan.ts';

/** Maximum time of all scans in one turn of the event loop, in milliseconds. */
const TURN_MS = 4;

/** Bytes scanned between two checks of the clock. */
const STEP_BYTES = 32 * 1024;

/** Maximum size of a text that is scanned synchronously. */
export const MAX_SYNC_SCAN_BYTES = 128 * 1024;

interface PendingScan {
  readonly scan: JsonScan;
  readonly done: () => void;
}

const pending: PendingScan[] = [];

/** Runs the pending scans round-robin within one time slice, so that neither large nor many texts delay other work. */
const runTurn = (): void => {
  const start = performance.now();
  do {
    const first = pending.shift();
    if (first === undefined) return;
    if (first.scan.advance(STEP_BYTES)) first.done();
    else pending.push(first);
  } while (performance.now() - start < TURN_MS);
  if (pending.length > 0) setImmediate(runTurn);
};

/** Runs a scan in time slices and resolves when it is complete. */
export const scanInSlices = (scan: JsonScan): Promise<void> =>
  new Promise((done) => {
    pending.push({ scan, done });
    if (pending.length === 1) setImmediate(runTurn);
  });
