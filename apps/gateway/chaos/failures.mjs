const MAX_EXAMPLES = 20;
/** Examples with the same beginning of the message. */
const MAX_ALIKE = 3;
const ALIKE_CHARS = 60;

/** The failures of requests by what caused them, and those that nothing caused. */
export class Failures {
  /** The number of failures that had to happen, by their cause. */
  excused = {};
  /** The number of failures that nothing caused. */
  unexcused = 0;
  /** Some of those that nothing caused. */
  examples = [];
  #outages;
  #alike = new Map();

  constructor(outages) {
    this.#outages = outages;
  }

  /**
   * Counts a failure.
   *
   * @param request `kind`, `from`, and `needs`: what it cannot do without
   */
  count({ kind, from, needs = [] }, error) {
    const to = performance.now();
    const away = [...needs, `replica ${error.target ?? 'unknown'}`].find((what) =>
      this.#outages.during(what, from, to),
    );
    if (away !== undefined) {
      const [cause] = away.split(' ');
      this.excused[cause] = (this.excused[cause] ?? 0) + 1;
      return;
    }
    this.unexcused += 1;
    const beginning = error.message.slice(0, ALIKE_CHARS);
    const alike = (this.#alike.get(beginning) ?? 0) + 1;
    if (this.examples.length >= MAX_EXAMPLES || alike > MAX_ALIKE) return;
    this.#alike.set(beginning, alike);
    const open = this.#outages.open.join(', ') || 'nothing';
    const example = `${new Date().toISOString()} ${kind} (${needs}), ${Math.round(to - from)} ms, target ${error.target}, away: ${open}: ${error.message}`;
    this.examples.push(example);
    process.stderr.write(`${example}\n`);
  }
}
