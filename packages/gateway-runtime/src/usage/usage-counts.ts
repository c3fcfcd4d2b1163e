import { type Principal, toPrincipal } from '@gateway/call-contract';
import type { UsageQuery, UsageReport, UsageRow, UsageSums } from '@gateway/core-tools';

/** A call of a tool that has ended. */
export interface CountedCall {
  readonly tool: string;
  readonly principal: Principal;
  /** The value of the toolset header. */
  readonly toolset: string | undefined;
  /** The workflow whose step made the call. */
  readonly workflow: string | undefined;
  readonly isError: boolean;
  readonly resultBytes: number;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** Durations of up to 2^(index / 4) milliseconds have an index: each bound is 19 % above the previous one. */
const STEPS_PER_OCTAVE = 4;

const findDurationIndex = (ms: number): number =>
  Math.ceil(STEPS_PER_OCTAVE * Math.log2(Math.max(1, ms)));

/** The sums of some calls. */
class Sums {
  calls = 0;
  errors = 0;
  resultBytes = 0;
  lastAt = 0;
  /** Number of calls by the index of their duration. */
  readonly durations = new Map<number, number>();

  add({ calls, errors, resultBytes, lastAt, durations }: Sums): void {
    this.calls += calls;
    this.errors += errors;
    this.resultBytes += resultBytes;
    this.lastAt = Math.max(this.lastAt, lastAt);
    for (const [index, count] of durations) this.addDuration(index, count);
  }

  addDuration(index: number, count: number): void {
    this.durations.set(index, (this.durations.get(index) ?? 0) + count);
  }

  toUsageSums(): UsageSums {
    const { calls, errors, resultBytes, lastAt } = this;
    return { calls, errors, resultBytes, ...(calls > 0 && { lastAt, p95Ms: this.#findP95() }) };
  }

  /** Returns the lowest bound that 95 % of the durations do not exceed, in milliseconds. */
  #findP95(): number {
    const sorted = [...this.durations].sort(([left], [right]) => left - right);
    let within = 0;
    const found = sorted.find(([, count]) => (within += count) >= 0.95 * this.calls);
    return Number((2 ** ((found?.[0] ?? 0) / STEPS_PER_OCTAVE)).toPrecision(3));
  }
}

/** The names that the sums of a row have in common. The user is the key of a principal, with a line for its e-mail address. */
type Names = readonly [user: string, origin: string, tool: string];

/** Replaces the names of further rows. */
const OTHERS = '_other';

/** The origin of calls is their toolset, or after this a workflow. No header has a line feed. */
const WORKFLOW = 'workflow\n';

/** Length of the text at which users of further rows are added up; at twice as much toolsets and workflows too, then tools. */
const MAX_CHARS = 200_000;
/** Characters of a row without its names and durations, and of a duration. */
const ROW_CHARS = 60;
const DURATION_CHARS = 7;

const findOrAdd = <Value>(map: Map<string, Value>, key: string, create: () => Value): Value => {
  const known = map.get(key) ?? create();
  map.set(key, known);
  return known;
};

/** Sums of calls by user, origin and tool. Their text is bounded. */
export class UsageCounts {
  readonly #users = new Map<string, Map<string, Map<string, Sums>>>();
  #chars = 0;

  /** @param text a text of {@link format}; one that this program cannot read has no calls */
  constructor(text = '[]') {
    for (const row of parseRows(text)) {
      const [user, origin, tool, calls, errors, resultBytes, lastAt, ...durations] = row;
      const sums = Object.assign(new Sums(), { calls, errors, resultBytes, lastAt });
      for (let at = 0; at < durations.length; at += 2)
        sums.addDuration(durations[at] ?? 0, durations[at + 1] ?? 0);
      this.#add([user, origin, tool], sums);
    }
  }

  get isEmpty(): boolean {
    return this.#users.size === 0;
  }

  /** Adds a call. */
  count(call: CountedCall): void {
    const { principal, workflow, toolset = '' } = call;
    const { key, email } = principal;
    const user = email === undefined ? key : `${key}\n${email}`;
    const origin = workflow === undefined ? toolset : WORKFLOW + workflow;
    const sums = this.#find([user, origin, call.tool]);
    const { size } = sums.durations;
    sums.calls += 1;
    if (call.isError) sums.errors += 1;
    sums.resultBytes += call.resultBytes;
    sums.lastAt = call.endedAt;
    sums.addDuration(findDurationIndex(call.durationMs), 1);
    this.#chars += DURATION_CHARS * (sums.durations.size - size);
  }

  /** Adds the sums of others. */
  merge(others: UsageCounts): void {
    for (const [names, added] of others.rows()) this.#add(names, added);
  }

  format(): string {
    return JSON.stringify(
      Array.from(this.rows(), ([names, { calls, errors, resultBytes, lastAt, durations }]) => [
        ...names,
        ...[calls, errors, resultBytes, lastAt, ...[...durations].flat()],
      ]),
    );
  }

  *rows(): Iterable<readonly [names: Names, sums: Sums]> {
    for (const [user, origins] of this.#users)
      for (const [origin, tools] of origins)
        for (const [tool, sums] of tools) yield [[user, origin, tool], sums];
  }

  #add(names: Names, added: Sums): void {
    const sums = this.#find(names);
    const { size } = sums.durations;
    sums.add(added);
    this.#chars += DURATION_CHARS * (sums.durations.size - size);
  }

  #find([user, origin, tool]: Names): Sums {
    return this.#users.get(user)?.get(origin)?.get(tool) ?? this.#create([user, origin, tool]);
  }

  /** Returns the sums of a row that does not exist, or of the row that has the calls of further rows. */
  #create([user, origin, tool]: Names): Sums {
    const merged = Math.floor(this.#chars / MAX_CHARS);
    const names = [
      merged > 0 ? OTHERS : user,
      merged > 1 ? OTHERS : origin,
      merged > 2 ? OTHERS : tool,
    ] as const;
    const tools = findOrAdd(
      findOrAdd(this.#users, names[0], () => new Map<string, Map<string, Sums>>()),
      names[1],
      () => new Map<string, Sums>(),
    );
    if (!tools.has(names[2])) this.#chars += ROW_CHARS + names.join('').length;
    return findOrAdd(tools, names[2], () => new Sums());
  }
}

type StoredRow = [
  ...Names,
  calls: number,
  errors: number,
  resultBytes: number,
  lastAt: number,
  ...durations: number[],
];

const isStoredRow = (row: unknown): row is StoredRow =>
  Array.isArray(row) &&
  row.length >= 7 &&
  row.every((value, at) => (at < 3 ? typeof value === 'string' : Number.isFinite(value)));

const parseRows = (text: string): readonly StoredRow[] => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isStoredRow) : [];
  } catch {
    return [];
  }
};

type RowNames = Omit<UsageRow, keyof UsageSums>;

const toUserNames = (user: string): RowNames => {
  const [key = '', email] = user.split('\n');
  if (key === OTHERS) return { user: OTHERS };
  const { subject, issuer } = toPrincipal(key);
  return {
    user: subject,
    ...(issuer !== undefined && { issuer }),
    ...(email !== undefined && { email }),
  };
};

/** Returns selectors without the blanks around them, which have no meaning. */
const trimSelectors = (toolset: string): string =>
  toolset
    .split(',')
    .map((selector) => selector.trim())
    .join(',');

const toOriginNames = (origin: string): RowNames => {
  if (origin.startsWith(WORKFLOW)) return { workflow: origin.slice(WORKFLOW.length) };
  return origin === '' ? {} : { toolset: trimSelectors(origin) };
};

/** The names that a row of a report shows, by what the rows are about. */
const NAMES: Readonly<Record<UsageQuery['by'], (names: Names) => RowNames>> = {
  tool: ([, , tool]) => ({ tool }),
  toolset: ([, origin]) => toOriginNames(origin),
  user: ([user]) => toUserNames(user),
};

const isMatch = ([user, origin, tool]: Names, query: UsageQuery): boolean => {
  if (query.tool !== undefined && query.tool !== tool) return false;
  if (query.toolset !== undefined && trimSelectors(query.toolset) !== trimSelectors(origin))
    return false;
  if (query.principalKey !== undefined && query.principalKey !== user.split('\n')[0]) return false;
  if (query.user === undefined) return true;
  const names = toUserNames(user);
  return query.user === names.user || query.user === names.email;
};

/** The report of a query over the counts of several intervals. */
export class UsageSummary {
  readonly #query: UsageQuery;
  readonly #total = new Sums();
  readonly #groups = new Map<string, Sums>();

  constructor(query: UsageQuery) {
    this.#query = query;
  }

  /** Adds the matching calls. */
  add(counts: UsageCounts): void {
    for (const [names, sums] of counts.rows()) {
      if (!isMatch(names, this.#query)) continue;
      this.#total.add(sums);
      const group = JSON.stringify(NAMES[this.#query.by](names));
      findOrAdd(this.#groups, group, () => new Sums()).add(sums);
    }
  }

  /** Returns the sums of all calls, and those by tool, toolset or user, most calls first. */
  report(): Pick<UsageReport, 'total' | 'rows'> {
    const sorted = [...this.#groups].sort(
      ([left, { calls }], [right, other]) => other.calls - calls || (left < right ? -1 : 1),
    );
    const rows = sorted.map(([group, sums]) => ({
      ...(JSON.parse(group) as RowNames),
      ...sums.toUsageSums(),
    }));
    return { total: this.#total.toUsageSums(), rows };
  }
}
