import type { CallerSignInFact, TokenVerification } from '@gateway/caller-auth';
import type { ServerSignInFact } from '@gateway/downstream-auth';
import { Counter, type CounterConfiguration, Gauge, Histogram, type Registry } from 'prom-client';
import { listNames } from './call-metrics.ts';
import { toMetricConfig, METRICS } from './metric-table.ts';

/** A counter by server and another label. The series of deleted servers are removed at each scrape. */
export class NamedCounts<Label extends string> {
  readonly #byServer = new Map<string, Map<string, number>>();

  /** @param existing returns the names of the servers that exist */
  constructor(
    config: CounterConfiguration<'server' | Label>,
    label: Label,
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
          else
            for (const [value, count] of counts)
              this.inc({ server, [label]: value } as Record<'server' | Label, string>, count);
        }
      },
    });
  }

  add(server: string, value: string): void {
    const counts = this.#byServer.get(server) ?? new Map<string, number>();
    counts.set(value, (counts.get(value) ?? 0) + 1);
    this.#byServer.set(server, counts);
  }
}

/** Counters and durations of sign-in. No label names a user, a client or a text of a peer. */
export interface SignInMetrics {
  /** Counts a fact about the sign-in of a user to a server. */
  readonly serverSignInSeen: (fact: ServerSignInFact) => void;
  /** Counts a fact about a sign-in at the gateway. */
  readonly callerSignInSeen: (fact: CallerSignInFact) => void;
  /** Records the verification of an access token. */
  readonly tokenVerified: (verification: TokenVerification) => void;
}

/** The values that the metrics of sign-in read. */
interface SignInSources {
  readonly servers: () => readonly { readonly name: string }[];
  /** Returns the number of open connections of users by server, of this process. */
  readonly personalConnections: () => ReadonlyMap<string, number>;
}

/** A verification takes microseconds with a key in memory, and a request to the issuer otherwise. In seconds. */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Registers the metrics of sign-in. The series of deleted servers are removed. */
export function registerSignInMetrics(registry: Registry, sources: SignInSources): SignInMetrics {
  const existing = () => listNames(sources.servers());
  const refreshes = new NamedCounts(
    toMetricConfig(registry, METRICS.tokenRefreshes),
    'outcome',
    existing,
  );
  const exchanges = new NamedCounts(
    toMetricConfig(registry, METRICS.tokenExchanges),
    'outcome',
    existing,
  );
  const callers = new Counter(toMetricConfig(registry, METRICS.callerSignIns));
  const verifications = new Histogram({
    ...toMetricConfig(registry, METRICS.tokenVerificationDuration),
    buckets: BUCKETS,
  });
  registerConnections(registry, sources);
  return {
    serverSignInSeen: (fact) => {
      const refresh = toRefreshOutcome(fact);
      if (refresh !== undefined) refreshes.add(fact.server, refresh);
      if (fact.code === 'exchanged') exchanges.add(fact.server, 'ok');
      if (fact.code === 'exchange-failed') exchanges.add(fact.server, 'failed');
    },
    callerSignInSeen: (fact) => {
      // An outage is an event; the sign-ins that fail meanwhile are counted.
      if (fact.code === 'provider-unavailable') return;
      callers.inc({ result: fact.code === 'sign-in-failed' ? fact.problem : fact.code });
    },
    tokenVerified: ({ durationMs, outcome }) => {
      verifications.observe({ outcome: toVerdict(outcome) }, durationMs / 1000);
    },
  };
}

function registerConnections(registry: Registry, { personalConnections }: SignInSources): void {
  new Gauge({
    ...toMetricConfig(registry, METRICS.personalConnections),
    collect() {
      this.reset();
      for (const [server, count] of personalConnections()) this.set({ server }, count);
    },
  });
}

const toRefreshOutcome = (fact: ServerSignInFact): 'ok' | 'refused' | 'unavailable' | undefined => {
  if (fact.code === 'refreshed') return 'ok';
  if (fact.code === 'refresh-refused') return 'refused';
  return fact.code === 'provider-unavailable' && fact.during === 'refresh'
    ? 'unavailable'
    : undefined;
};

const toVerdict = (outcome: TokenVerification['outcome']): 'ok' | 'refused' | 'unavailable' =>
  outcome === 'ok' || outcome === 'unavailable' ? outcome : 'refused';
