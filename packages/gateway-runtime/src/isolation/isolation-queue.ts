/** Waiting work of several owners: one of each owner in turn, so that an owner with much work does not hold up the others. */
export class IsolationQueue<Job extends { readonly owner: object }> {
  /** In the order of their turns. */
  readonly #jobs = new Map<object, Job[]>();

  /** Adds a job after those of the same owner. */
  add(job: Job): void {
    const own = this.#jobs.get(job.owner);
    if (own === undefined) this.#jobs.set(job.owner, [job]);
    else own.push(job);
  }

  /** Removes and returns the next job; undefined when none waits. */
  take(): Job | undefined {
    for (const [owner, jobs] of this.#jobs) {
      const job = jobs.shift();
      // An owner with more jobs waits for a turn of all others.
      this.#jobs.delete(owner);
      if (jobs.length > 0) this.#jobs.set(owner, jobs);
      return job;
    }
    return undefined;
  }

  /** Removes a job that waits. */
  remove(job: Job): void {
    const jobs = this.#jobs.get(job.owner);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#jobs.delete(job.owner);
  }
}
