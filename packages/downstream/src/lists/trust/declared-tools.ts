import type { JsonObject } from '@gateway/call-contract';
import type { ServerTool, ToolAnnotations } from '@gateway/catalog';
import { setTimeout as pause } from 'node:timers/promises';
import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import { ledgerText, parseLedger, ServerLedger, serverLine } from './server-ledger.ts';
import type {
  AcceptOutcome,
  Hint,
  KnownTools,
  ObservedChange,
  ToolChange,
} from './server-ledger.ts';
import { reasonOf, sanitisedLine } from '../../wire/reason.ts';
import type { DownstreamLog } from '../../wire/log-event.ts';

/** Storage for the remembered tool declarations, as one text. */
export interface DeclaredToolsStore {
  /** Returns the last written text; `undefined` when there is none. */
  read(): Promise<string | undefined>;
  /** Replaces the whole text. Called by one writer, one call at a time. */
  write(text: string): Promise<void>;
}

/** A tool whose `readOnlyHint` changed from false or unset to true. */
export interface HintWidened {
  readonly server: string;
  readonly tool: string;
  /** The new hint waits to be accepted. */
  readonly held: boolean;
}

const withHint = <T extends object>(annotations: T, hint: Hint): T => {
  const others = Object.entries(annotations).filter(([key]) => key !== 'readOnlyHint');
  const entries = hint === undefined ? others : [...others, ['readOnlyHint', hint] as const];
  return Object.fromEntries(entries) as T;
};

const listedWith = (listed: JsonObject, hint: Hint): JsonObject => {
  const annotations = listed['annotations'];
  if (typeof annotations !== 'object' || annotations === null) return listed;
  return { ...listed, annotations: withHint(annotations, hint) };
};

const made = new WeakMap<ServerTool, Map<Hint, ServerTool>>();

const make = (tool: ServerTool, hint: Hint): ServerTool => {
  const { annotations, ...rest } = tool;
  const hints: ToolAnnotations = withHint(annotations ?? {}, hint);
  return {
    ...rest,
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
    ...(tool.listed && { listed: listedWith(tool.listed, hint) }),
  };
};

/** Returns the tool with another `readOnlyHint`, also in its listed entry; the same object for the same arguments. */
const heldTool = (tool: ServerTool, hint: Hint): ServerTool => {
  const byHint = made.get(tool) ?? new Map<Hint, ServerTool>();
  const held = byHint.get(hint) ?? make(tool, hint);
  byHint.set(hint, held);
  made.set(tool, byHint);
  return held;
};

/** The intervals of the persistence, in milliseconds. */
interface PersistenceTimes {
  /** Maximum delay of the servers by reading. */
  readonly readMs: number;
  /** Delay from a change to writing. */
  readonly delayMs: number;
  /** Minimum pause between two writes, so that a server that changes all the time costs little. */
  readonly intervalMs: number;
}

/** Defaults for production. */
const PERSISTENCE_TIMES: PersistenceTimes = { readMs: 5_000, delayMs: 200, intervalMs: 5_000 };

/** A change of the outcome of reading or writing. */
export type PersistenceEvent =
  /** The stored declarations could not be read. `kept`: the text is preserved and will not be overwritten. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly kept: boolean }
  | { readonly kind: 'unsaved'; readonly reason: string }
  /** Writing succeeds again. */
  | { readonly kind: 'saved' };

/** Stores the text of a ledger between runs. Writes one text at a time and never rejects. */
export class LedgerPersistence {
  readonly #store: DeclaredToolsStore | undefined;
  readonly #text: () => string;
  readonly #report: (problem: PersistenceEvent) => void;
  readonly #times: PersistenceTimes;
  readonly #end = new AbortController();
  #isWritable = true;
  #hasChanges = false;
  #hasFailed = false;
  #last: Promise<unknown> = Promise.resolve();
  #planned: Promise<void> | undefined;

  /** @param text returns the text to write, at the time of writing */
  constructor(
    store: DeclaredToolsStore | undefined,
    text: () => string,
    report: (problem: PersistenceEvent) => void,
    times: PersistenceTimes = PERSISTENCE_TIMES,
  ) {
    this.#store = store;
    this.#text = text;
    this.#report = report;
    this.#times = times;
  }

  /** Returns the stored servers; none when they cannot be read in time. */
  async read(): Promise<readonly (readonly [string, KnownTools])[]> {
    if (this.#store === undefined) return [];
    try {
      const text = await this.#readInTime(this.#store);
      const servers = text === undefined ? [] : parseLedger(text);
      if (servers !== undefined) return servers;
      this.#report({ kind: 'unreadable', reason: 'the text has an unknown format', kept: false });
    } catch (error) {
      // The storage may only be unreachable, so its text must not be overwritten.
      this.#isWritable = false;
      this.#report({ kind: 'unreadable', reason: reasonOf(error), kept: true });
    }
    return [];
  }

  /** Schedules a write of the present text. */
  schedule(): void {
    this.#hasChanges = true;
    if (this.#store !== undefined && this.#isWritable) this.#planned ??= this.#plan();
  }

  /** Writes pending changes. @returns whether nothing is pending */
  async flush(): Promise<boolean> {
    await this.#enqueue(() => this.#write());
    return !this.#hasChanges;
  }

  /** Writes pending changes for the last time. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.flush();
  }

  async #readInTime(store: DeclaredToolsStore): Promise<string | undefined> {
    const { readMs } = this.#times;
    const timer = new AbortController();
    const late = pause(readMs, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error(`it was not read within ${readMs} ms`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([store.read(), late]);
    } finally {
      timer.abort();
    }
  }

  async #plan(): Promise<void> {
    const waited = { signal: this.#end.signal, ref: false };
    await pause(this.#times.delayMs, undefined, waited).catch(() => undefined);
    await this.flush();
    await pause(this.#times.intervalMs, undefined, waited).catch(() => undefined);
    this.#planned = undefined;
    if (this.#hasChanges && !this.#end.signal.aborted) this.#planned = this.#plan();
  }

  async #write(): Promise<void> {
    if (!this.#hasChanges || this.#store === undefined || !this.#isWritable) return;
    this.#hasChanges = false;
    try {
      await this.#store.write(this.#text());
      if (this.#hasFailed) this.#report({ kind: 'saved' });
      this.#hasFailed = false;
    } catch (error) {
      this.#hasChanges = true;
      if (!this.#hasFailed) this.#report({ kind: 'unsaved', reason: reasonOf(error) });
      this.#hasFailed = true;
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done;
    return done;
  }
}

/** Maximum number of reports about a server in a burst. */
const MAX_REPORTS = 100;
/** Interval after which one more report is allowed, in milliseconds. */
const REFILL_MS = 6_000;

/** A rate limit for the reports about each server, so that no server fills the log and the events. */
export class ReportBudget {
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; at: number }>();

  /** @param now returns the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes up to `wanted` reports. @returns the number of reports that are allowed */
  take(server: string, wanted: number): number {
    const now = this.#now();
    const before = this.#left.get(server) ?? { count: MAX_REPORTS, at: now };
    const earned = Math.max(0, Math.floor((now - before.at) / REFILL_MS));
    const count = Math.min(MAX_REPORTS, before.count + earned);
    const taken = Math.min(count, wanted);
    // The remainder of an interval counts for the next one; a clock that was set back starts a new interval.
    const at = count === MAX_REPORTS || now < before.at ? now : before.at + earned * REFILL_MS;
    this.#left.set(server, { count: count - taken, at });
    return taken;
  }
}

/** The receivers of reports about tool changes. */
interface ReportsDependencies {
  readonly log: DownstreamLog;
  readonly emit?: EventSink | undefined;
  readonly onHintWidened?: ((widened: HintWidened) => void) | undefined;
  readonly now: () => number;
}

/** Maximum number of accepted tool names in one event; further names are counted. */
const MAX_NAMES = 20;

type ServerIdentity = Pick<McpServer['metadata'], 'name' | 'namespace'>;

const changedEvent = (
  { name, namespace }: ServerIdentity,
  { tool, fields }: ObservedChange,
): GatewayEvent => ({
  reason: 'MCPServerToolChanged',
  ...{ name, namespace, tool: sanitisedLine(tool), fields },
});

const widenedEvent = (
  { name, namespace }: ServerIdentity,
  { tool, held }: ObservedChange,
): GatewayEvent => ({
  reason: 'MCPServerToolHintWidened',
  ...{ name, namespace, tool: sanitisedLine(tool), held },
});

const named = (tools: readonly string[]): readonly string[] => {
  const names = tools.slice(0, MAX_NAMES).map((tool) => sanitisedLine(tool));
  const more = tools.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
};

/** Reports changed tool declarations: widened hints first, within a rate limit per server, with a count of the omitted ones. */
class ToolReports {
  readonly #dependencies: ReportsDependencies;
  readonly #budget: ReportBudget;

  constructor(dependencies: ReportsDependencies) {
    this.#dependencies = dependencies;
    this.#budget = new ReportBudget(dependencies.now);
  }

  /** Reports the changes of one listing. */
  changed(server: ServerIdentity, changes: readonly ObservedChange[]): void {
    if (changes.length === 0) return;
    const widened = changes.filter((change) => change.widened);
    for (const { tool, held } of widened)
      this.#dependencies.onHintWidened?.({ server: server.name, tool, held });
    const rest = changes.filter((change) => !change.widened);
    const ordered = [...widened, ...rest];
    const reported = ordered.slice(0, this.#budget.take(server.name, ordered.length));
    for (const change of reported) this.#one(server, change);
    this.#reportOmitted(server, ordered.slice(reported.length));
  }

  /** Reports the tools whose declarations were accepted. */
  accepted({ name, namespace }: ServerIdentity, tools: readonly string[]): void {
    const accepted = named(tools);
    this.#dependencies.log({
      level: 'info',
      server: name,
      event: 'server.tools-accepted',
      tools: accepted,
    });
    this.#dependencies.emit?.({
      reason: 'MCPServerToolsAccepted',
      ...{ name, namespace, tools: accepted },
    });
  }

  #one(server: ServerIdentity, change: ObservedChange): void {
    const { tool, fields, widened, held } = change;
    const about = { server: server.name, tool: sanitisedLine(tool) };
    this.#dependencies.log({ level: 'info', event: 'server.tool-changed', ...about, fields });
    this.#dependencies.emit?.(changedEvent(server, change));
    if (!widened) return;
    this.#dependencies.log({ level: 'warn', event: 'server.tool-hint-widened', ...about, held });
    this.#dependencies.emit?.(widenedEvent(server, change));
  }

  #reportOmitted({ name }: ServerIdentity, omitted: readonly ObservedChange[]): void {
    if (omitted.length === 0) return;
    this.#dependencies.log({
      level: 'warn',
      server: name,
      event: 'server.tool-changes-omitted',
      count: omitted.length,
      widened: omitted.filter(({ widened }) => widened).length,
    });
  }
}

/** The dependencies of the tool declarations. */
interface DeclaredToolsDependencies extends ReportsDependencies {
  /** Storage between runs; without it, declarations are remembered for this run only. */
  readonly declaredTools?: DeclaredToolsStore | undefined;
  /** A `readOnlyHint` that changes to true takes effect only after it is accepted. */
  readonly pinToolHints?: boolean | undefined;
  readonly persistenceTimes?: PersistenceTimes;
}

/** Maximum number of remembered servers. The server whose tools were listed least recently is evicted. */
const MAX_SERVERS = 2_000;

const NONE: readonly ToolChange[] = [];

/** The tool declarations of all servers, compared with the remembered ones. */
export class DeclaredTools {
  readonly #dependencies: DeclaredToolsDependencies;
  readonly #pins: boolean;
  readonly #reports: ToolReports;
  readonly #persistence: LedgerPersistence;
  /** In order of their last listing, the least recent first. */
  readonly #ledgers = new Map<string, ServerLedger>();
  /** The serialized lines that are up to date. */
  readonly #lines = new WeakMap<ServerLedger, string>();
  /** Resolves, within a bound, when the stored declarations are loaded. Reviews must wait for it. */
  readonly ready: Promise<void>;

  constructor(dependencies: DeclaredToolsDependencies) {
    this.#dependencies = dependencies;
    this.#pins = dependencies.pinToolHints ?? false;
    this.#reports = new ToolReports(dependencies);
    this.#persistence = new LedgerPersistence(
      dependencies.declaredTools,
      () => this.#text(),
      (problem) => this.#report(problem),
      dependencies.persistenceTimes,
    );
    this.ready = this.#load();
  }

  /**
   * Compares the tools of a server with the remembered declarations, reports changes and remembers them.
   *
   * @returns the tools for the catalog: the same list unless hints are held
   */
  review(server: ServerIdentity, tools: readonly ServerTool[]): readonly ServerTool[] {
    const ledger = this.#ledgerOf(server.name);
    const { changes, isChanged } = ledger.observe(tools, this.#dependencies.now());
    if (isChanged) this.#changed(ledger);
    this.#reports.changed(server, changes);
    return this.asAccepted(server.name, tools);
  }

  /** Returns the tools with their accepted hints; the same list unless hints are held. */
  asAccepted(server: string, tools: readonly ServerTool[]): readonly ServerTool[] {
    const ledger = this.#ledgers.get(server);
    if (!this.#pins || ledger === undefined) return tools;
    if (!tools.some(({ name }) => ledger.isHeld(name))) return tools;
    return tools.map((tool) =>
      ledger.isHeld(tool.name) ? heldTool(tool, ledger.acceptedHint(tool.name)) : tool,
    );
  }

  /** The same array while it is unchanged. */
  changesOf(server: string): readonly ToolChange[] {
    return this.#ledgers.get(server)?.changes() ?? NONE;
  }

  /** Accepts the present declarations of these tools, or of all. The owner of the lists must call {@link asAccepted} again. */
  async accept(
    server: ServerIdentity,
    tools: readonly string[] | undefined,
  ): Promise<AcceptOutcome> {
    await this.ready;
    const ledger = this.#ledgers.get(server.name) ?? new ServerLedger(this.#pins);
    const unknown = ledger.unknown(tools ?? []);
    if (unknown.length > 0) return { kind: 'unknown-tools', tools: unknown };
    const accepted = ledger.accept(tools);
    if (accepted.length === 0) return { kind: 'done', tools: accepted };
    this.#changed(ledger);
    this.#reports.accepted(server, accepted);
    return { kind: 'done', tools: accepted };
  }

  /** Writes pending changes. Resolves with whether everything is written. */
  saved(): Promise<boolean> {
    return this.#persistence.flush();
  }

  /** Writes pending changes and stops. */
  close(): Promise<void> {
    return this.#persistence.close();
  }

  async #load(): Promise<void> {
    for (const [name, tools] of await this.#persistence.read())
      this.#ledgers.set(name, new ServerLedger(this.#pins, tools));
  }

  #ledgerOf(name: string): ServerLedger {
    const ledger = this.#ledgers.get(name) ?? new ServerLedger(this.#pins);
    this.#ledgers.delete(name);
    this.#ledgers.set(name, ledger);
    for (const oldest of this.#ledgers.keys()) {
      if (this.#ledgers.size <= MAX_SERVERS) break;
      this.#ledgers.delete(oldest);
    }
    return ledger;
  }

  #changed(ledger: ServerLedger): void {
    this.#lines.delete(ledger);
    this.#persistence.schedule();
  }

  #text(): string {
    return ledgerText(
      [...this.#ledgers].map(([name, ledger]) => {
        const line = this.#lines.get(ledger) ?? serverLine(name, ledger.tools);
        this.#lines.set(ledger, line);
        return line;
      }),
    );
  }

  #report(problem: PersistenceEvent): void {
    const { log } = this.#dependencies;
    switch (problem.kind) {
      case 'saved':
        log({ level: 'info', event: 'declared-tools.saved' });
        break;
      case 'unsaved':
        log({
          level: 'warn',
          event: 'declared-tools.unsaved',
          reason: sanitisedLine(problem.reason),
        });
        break;
      case 'unreadable':
        log({
          level: 'warn',
          event: 'declared-tools.unreadable',
          reason: sanitisedLine(problem.reason),
          kept: problem.kept,
        });
    }
  }
}
