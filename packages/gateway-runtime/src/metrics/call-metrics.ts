import type { CallResult } from '@gateway/call-contract';
import { readMember } from '@gateway/mcp-wire';
import { Counter, type Metric, type Registry } from 'prom-client';
import { METRICS, toMetricConfig } from './metric-table.ts';

/** The resources that exist now. Series of deleted ones are not reported. */
export interface ExistingResources {
  readonly servers: () => readonly { readonly name: string }[];
  readonly workflows: () => readonly { readonly name: string }[];
}

/** Replaces names beyond the limit. No resource has this name. */
const OTHERS = '_other';

/** Returns the names of resources. */
export const listNames = (resources: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(resources.map(({ name }) => name));

/** The outcome of a call to the gateway. */
export type CallVerdict = 'ok' | 'error_result' | 'failed';

/** The part of an answer that its outcome depends on. */
export type CallAnswer =
  { readonly ok: true; readonly result?: CallResult } | { readonly ok: false };

/** Returns the outcome of an answer. */
export function findVerdict(answer: CallAnswer): CallVerdict {
  if (!answer.ok) return 'failed';
  const { result } = answer;
  return result !== undefined && readMember(result, 'isError') === true ? 'error_result' : 'ok';
}

/** Counts and times the calls of one name. */
export interface CallTimer<Verdict extends string = CallVerdict> {
  /** Records a call. @param start the value of `performance.now()` at the start of the call */
  finished(start: number, verdict: Verdict): void;
}

/** The upper bounds of the latency buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The durations of one name, as plain numbers: every call writes them and only a scrape reads them. */
class Durations {
  /** Number of durations in each bucket; the last has no bound. */
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName: string;
}

/** Returns the samples of a Prometheus histogram: cumulative buckets, the sum and the count. */
function listSamples(
  name: string,
  labels: Sample['labels'],
  { buckets, sum }: Durations,
): Sample[] {
  let count = 0;
  const samples: Sample[] = [];
  for (const [index, inBucket] of buckets.entries()) {
    count += inBucket;
    const le = BOUNDS[index] ?? '+Inf';
    samples.push({ labels: { le, ...labels }, value: count, metricName: `${name}_bucket` });
  }
  samples.push({ labels, value: sum, metricName: `${name}_sum` });
  samples.push({ labels, value: count, metricName: `${name}_count` });
  return samples;
}

/** The call metrics of one name. */
class NamedCalls implements CallTimer<string> {
  readonly durations = new Durations();
  readonly verdicts = new Map<string, number>();

  finished(start: number, verdict: string): void {
    this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + 1);
    this.durations.observe((performance.now() - start) / 1000);
  }
}

/** Number of names at which those of deleted resources are removed also without a scrape. */
const PRUNED_NAMES = 1_000;

/** Names of the metrics of one kind of call. */
interface CallMetricNames {
  readonly label: string;
  /** Maximum number of names; further names are counted together as `_other`. The default is no limit. */
  readonly maxNames?: number;
  /** Returns the names of the resources that exist; the series of others are removed. Without it all names stay. */
  readonly existing?: () => ReadonlySet<string>;
  readonly calls: { readonly name: string; readonly help: string };
  readonly duration: { readonly name: string; readonly help: string };
}

/** The calls by name, without those of deleted resources. */
class CallNames {
  readonly #byName = new Map<string, NamedCalls>();
  readonly #maxNames: number;
  readonly #existing: CallMetricNames['existing'];
  #pruneAt = PRUNED_NAMES;

  constructor({ maxNames = Infinity, existing }: Pick<CallMetricNames, 'maxNames' | 'existing'>) {
    this.#maxNames = maxNames;
    this.#existing = existing;
  }

  /** Removes the names of deleted resources and returns the others. */
  current(): ReadonlyMap<string, NamedCalls> {
    const existing = this.#existing?.();
    if (existing !== undefined)
      for (const name of this.#byName.keys())
        if (name !== OTHERS && !existing.has(name)) this.#byName.delete(name);
    this.#pruneAt = Math.max(PRUNED_NAMES, 2 * this.#byName.size);
    return this.#byName;
  }

  get(name: string): NamedCalls {
    return this.#byName.get(name) ?? this.#add(name);
  }

  #add(name: string): NamedCalls {
    const size = this.#byName.size;
    if (size >= Math.min(this.#maxNames, this.#pruneAt)) this.current();
    const key = this.#byName.size < this.#maxNames ? name : OTHERS;
    const named = this.#byName.get(key) ?? new NamedCalls();
    this.#byName.set(key, named);
    return named;
  }
}

function registerDurations(
  registry: Registry,
  { label, name, help }: { readonly label: string; readonly name: string; readonly help: string },
  names: CallNames,
): void {
  const facts = { name, help, type: 'histogram', aggregator: 'sum' };
  const values = (): Sample[] =>
    [...names.current()]
      .filter(([, { verdicts }]) => verdicts.size > 0)
      .flatMap(([named, { durations }]) => listSamples(name, { [label]: named }, durations));
  const histogram = {
    ...facts,
    get: () => Promise.resolve({ ...facts, values: values() }),
    reset: () => undefined,
  };
  // The registry reads a metric by these members alone; its types name only its own classes.
  registry.registerMetric(histogram as unknown as Metric);
}

/**
 * Registers a counter by outcome and a histogram of durations for one kind of call. A call costs two additions: the
 * registry's own histogram hashes its labels for each of them.
 *
 * @returns a function that returns the timer of a name; names must not come from callers
 */
export function registerCalls<Verdict extends string = CallVerdict>(
  registry: Registry,
  { label, calls, duration, ...limits }: CallMetricNames,
): (name: string) => CallTimer<Verdict> {
  const names = new CallNames(limits);
  new Counter({
    name: calls.name,
    help: calls.help,
    labelNames: [label, 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, { verdicts }] of names.current())
        for (const [outcome, count] of verdicts) this.inc({ [label]: name, outcome }, count);
    },
  });
  registerDurations(registry, { label, name: duration.name, help: duration.help }, names);
  return (name) => names.get(name);
}

/**
 * Registers the counter of HTTP responses, which are counted in plain numbers because every response writes them.
 *
 * @returns a function that counts a response; a request that ended before its response is not counted
 */
export function registerResponses(
  registry: Registry,
): (response: { readonly status: number | undefined }) => void {
  const statuses = new Map<number, number>();
  new Counter({
    ...toMetricConfig(registry, METRICS.httpResponses),
    collect() {
      this.reset();
      for (const [status, count] of statuses) this.inc({ status }, count);
    },
  });
  return ({ status }) => {
    if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
}
