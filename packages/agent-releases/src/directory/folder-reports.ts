import { FULL_QUEUE } from './limits.ts';

/**
 * Counts the reports of the system per event loop iteration, for all folders of a store. The kernel has one queue, which is read once per
 * iteration and drops further reports silently.
 */
export class FolderReports {
  /** The number of times the queue may have been full. */
  overflows = 0;
  #inIteration = 0;

  count(): void {
    this.#inIteration += 1;
    if (this.#inIteration === FULL_QUEUE) this.overflows += 1;
    if (this.#inIteration > 1) return;
    setImmediate(() => {
      this.#inIteration = 0;
    });
  }
}
