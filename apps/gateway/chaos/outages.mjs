/** What is away, and when: a replica, a server, an object, the API server, Redis. */
export class Outages {
  #entries = [];

  /** Begins an outage. Returns a function that ends it, `graceMs` later. */
  begin(what) {
    const entry = { what, from: performance.now(), to: Infinity };
    this.#entries.push(entry);
    return (graceMs = 0) => {
      entry.to = performance.now() + graceMs;
    };
  }

  /** Returns whether something was away at any time of an interval. */
  during(what, from, to) {
    return this.#entries.some((one) => one.what === what && one.from <= to && one.to >= from);
  }

  /** What is away now. */
  get open() {
    return this.#entries.filter(({ to }) => to === Infinity).map(({ what }) => what);
  }
}
