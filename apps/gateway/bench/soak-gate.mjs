/** Holds a number of workers between two steps, so that no request runs while memory is measured. */
export class Gate {
  #workers;
  #waiting = [];
  #isClosed = false;
  #allWait = () => undefined;

  /** @param workers how many come to `pass` again and again */
  constructor(workers) {
    this.#workers = workers;
  }

  /** Lets a worker through, at once or when the gate opens. */
  async pass() {
    if (!this.#isClosed) return;
    await new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === this.#workers) this.#allWait();
    });
  }

  /** Resolves when every worker waits. */
  async close() {
    this.#isClosed = true;
    if (this.#waiting.length === this.#workers) return;
    await new Promise((resolve) => {
      this.#allWait = resolve;
    });
  }

  open() {
    this.#isClosed = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
