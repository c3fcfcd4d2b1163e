import { FULL_LINE } from './limits.ts';

/**
 * Counts what the system reports in one turn of the event loop, of all folders of a store: reports stand in one line, which is emptied
 * once per turn, and what does not fit into it is dropped without a word.
 */
export class FolderReports {
  /** How often the line may have been full. */
  overflows = 0;
  #inTurn = 0;

  count(): void {
    this.#inTurn += 1;
    if (this.#inTurn === FULL_LINE) this.overflows += 1;
    if (this.#inTurn > 1) return;
    setImmediate(() => {
      this.#inTurn = 0;
    });
  }
}
