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

/** The names that the sums of a row have in common. The user is the key of a principal; an e-mail address can be blank. */
type Names = readonly [user: string, origin: string, tool: string, email: string];

/** The calls of a user, by origin and tool. */
interface UserCalls {
  /** Of the last call. */
  email: string;
  readonly origins: Map<string, Map<string, Sums>>;
}

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
  readonly #users = new Map<string, UserCalls>();
  #chars = 0;

  /** @param text a text of {@link format}; one that this program cannot read has no calls */
  constructor(text = '[]') {
    for (const row of parseRows(text)) {
      const [user, origin, tool, email, calls, errors, resultBytes, lastAt, ...durations] = row;
      const sums = Object.assign(new Sums(), { calls, errors, resultBytes, lastAt });
      for (let at = 0; at < durations.length; at += 2)
        sums.addDuration(durations[at] ?? 0, durations[at + 1] ?? 0);
      this.#add([user, origin, tool, email], sums);
    }
  }

  get isEmpty(): boolean {
    return this.#users.size === 0;
  }

  /** Adds a call. */
  count(call: CountedCall): void {
    const { principal, workflow, toolset = '' } = call;
    const { key, email = '' } = principal;
    const origin = workflow === undefined ? toolset : WORKFLOW + workflow;
    const sums = this.#find([key, origin, call.tool, email]);
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
    for (const [user, { email, origins }] of this.#users)
      for (const [origin, tools] of origins)
        for (const [tool, sums] of tools) yield [[user, origin, tool, email], sums];
  }

  #add(names: Names, added: Sums): void {
    const sums = this.#find(names);
    const { size } = sums.durations;
    sums.add(added);
    this.#chars += DURATION_CHARS * (sums.durations.size - size);
  }

  #find(names: Names): Sums {
    const [user, origin, tool, email] = names;
    const known = this.#users.get(user);
    if (known !== undefined && email !== '') known.email = email;
    return known?.origins.get(origin)?.get(tool) ?? this.#create(names);
  }

  /** Returns the sums of a row that does not exist, or of the row that has the calls of further rows. */
  #create(names: Names): Sums {
    const merged = Math.floor(this.#chars / MAX_CHARS);
    const [user, email] = merged > 0 ? [OTHERS, ''] : [names[0], names[3]];
    const origin = merged > 1 ? OTHERS : names[1];
    const tool = merged > 2 ? OTHERS : names[2];
    const userCalls = findOrAdd<UserCalls>(this.#users, user, () => ({
      email,
      origins: new Map(),
    }));
    const tools = findOrAdd(userCalls.origins, origin, () => new Map<string, Sums>());
    if (!tools.has(tool)) this.#chars += ROW_CHARS + [user, origin, tool, email].join('').length;
    return findOrAdd(tools, tool, () => new Sums());
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
  row.length >= 8 &&
  row.every((value, at) => (at < 4 ? typeof value === 'string' : Number.isFinite(value)));

const parseRows = (text: string): readonly StoredRow[] => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isStoredRow) : [];
  } catch {
    return [];
  }
};

type RowNames = Omit<UsageRow, keyof UsageSums>;

const toUserNames = ([key, , , email]: Names): RowNames => {
  if (key === OTHERS) return { user: OTHERS };
  const { subject, issuer } = toPrincipal(key);
  return {
    user: subject,
    ...(issuer !== undefined && { issuer }),
    ...(email !== '' && { email }),
  };
};

/** Returns selectors without the blanks around them, which have no meaning. */
const trimSelectors = (toolset: string): string =>
  toolset
    .split(',')
    .map((selector) => selector.trim())
    .join(',');

const toOriginNames = ([, origin]: Names): RowNames => {
  if (origin.startsWith(WORKFLOW)) return { workflow: origin.slice(WORKFLOW.length) };
  return origin === '' ? {} : { toolset: trimSelectors(origin) };
};

/** Groups of a report: what their calls have in common, and the names that their row shows. */
interface Grouping {
  readonly findId: (names: Names) => string;
  readonly toRowNames: (names: Names) => RowNames;
}

const GROUPINGS: Readonly<Record<UsageQuery['by'], Grouping>> = {
  tool: { findId: ([, , tool]) => tool, toRowNames: ([, , tool]) => ({ tool }) },
  toolset: { findId: ([, origin]) => trimSelectors(origin), toRowNames: toOriginNames },
  user: { findId: ([user]) => user, toRowNames: toUserNames },
};

const isMatch = (names: Names, query: UsageQuery): boolean => {
  const [key, origin, tool] = names;
  if (query.tool !== undefined && query.tool !== tool) return false;
  if (query.toolset !== undefined && trimSelectors(query.toolset) !== trimSelectors(origin))
    return false;
  if (query.principalKey !== undefined && query.principalKey !== key) return false;
  if (query.user === undefined) return true;
  const { user, email } = toUserNames(names);
  return query.user === user || query.user === email;
};

/** The report of a query over the counts of several intervals. */
export class UsageSummary {
  readonly #query: UsageQuery;
  readonly #total = new Sums();
  readonly #groups = new Map<string, { names: RowNames; readonly sums: Sums }>();

  constructor(query: UsageQuery) {
    this.#query = query;
  }

  /** Adds the matching calls. */
  add(counts: UsageCounts): void {
    const { findId, toRowNames } = GROUPINGS[this.#query.by];
    for (const [names, sums] of counts.rows()) {
      if (!isMatch(names, this.#query)) continue;
      this.#total.add(sums);
      const group = findOrAdd(this.#groups, findId(names), () => ({ names: {}, sums: new Sums() }));
      group.names = { ...group.names, ...toRowNames(names) };
      group.sums.add(sums);
    }
  }

  /** Returns the sums of all calls, and those by tool, toolset or user, most calls first. */
  report(): Pick<UsageReport, 'total' | 'rows'> {
    const sorted = [...this.#groups].sort(
      ([left, { sums }], [right, other]) =>
        other.sums.calls - sums.calls || (left < right ? -1 : 1),
    );
    const rows = sorted.map(([, { names, sums }]) => ({ ...names, ...sums.toUsageSums() }));
    return { total: this.#total.toUsageSums(), rows };
  }
}
