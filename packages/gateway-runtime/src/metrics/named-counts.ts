import { Counter, type CounterConfiguration } from 'prom-client';

/** A counter by server and outcome. The series of deleted servers are removed at each scrape. */
export class NamedCounts<Outcome extends string> {
  readonly #byServer = new Map<string, Map<Outcome, number>>();

  /** @param existing returns the names of the servers that exist */
  constructor(
    config: CounterConfiguration<'server' | 'outcome'>,
    existing: () => ReadonlySet<string>,
  ) {
    const byServer = this.#byServer;
    new Counter({
      ...config,
      collect() {
        const names = existing();
        this.reset();
        for (const [server, counts] of byServer) {
          if (!names.has(server)) byServer.delete(server);
          else for (const [outcome, count] of counts) this.inc({ server, outcome }, count);
        }
      },
    });
  }

  add(server: string, outcome: Outcome): void {
    const counts = this.#byServer.get(server) ?? new Map<Outcome, number>();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    this.#byServer.set(server, counts);
  }
}
