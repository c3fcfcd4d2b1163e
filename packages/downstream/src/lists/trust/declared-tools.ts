import {
  type AcceptOutcome,
  isJsonObject,
  isResolvedWithin,
  type ToolChange,
} from '@gateway/call-contract';
import type { ServerTool, ToolAnnotations } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import { setTimeout as pause } from 'node:timers/promises';
import type { DownstreamLog } from '../../wire/log-event.ts';
import { formatReason, formatSafeLine } from '../../wire/reason.ts';
import {
  type Hint,
  type KnownTools,
  formatLedger,
  type ObservedChange,
  parseLedger,
  ServerLedger,
  formatServerLine,
} from './server-ledger.ts';

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

/** Returns the tool with this `readOnlyHint`, also in its listed entry. */
const withReadOnlyHint = (tool: ServerTool, hint: Hint): ServerTool => {
  const { annotations, listed, ...rest } = tool;
  const hints: ToolAnnotations = withHint(annotations ?? {}, hint);
  const listedHints = listed?.['annotations'];
  return {
    ...rest,
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
    ...(listed && {
      listed: isJsonObject(listedHints)
        ? { ...listed, annotations: withHint(listedHints, hint) }
        : listed,
    }),
  };
};

const PERSISTENCE_TIMES = {
  /** Maximum delay of the servers by reading. */
  readMs: 5_000,
  /** Delay from a change to writing. */
  delayMs: 200,
  /** Minimum pause between two writes, so that a server that changes all the time costs little. */
  intervalMs: 5_000,
};

/** Stores the text of a ledger between runs. Writes one text at a time and never rejects. */
export class LedgerPersistence {
  readonly #store: DeclaredToolsStore | undefined;
  readonly #text: () => string;
  readonly #log: DownstreamLog;
  readonly #times: typeof PERSISTENCE_TIMES;
  readonly #end = new AbortController();
  #isWritable: boolean;
  #hasChanges = false;
  #hasFailed = false;
  #last: Promise<void> = Promise.resolve();
  #planned: Promise<void> | undefined;

  constructor(
    store: DeclaredToolsStore | undefined,
    text: () => string,
    log: DownstreamLog,
    times = PERSISTENCE_TIMES,
  ) {
    this.#store = store;
    this.#isWritable = store !== undefined;
    this.#text = text;
    this.#log = log;
    this.#times = times;
  }

  /** Returns the stored servers; none when they cannot be read in time. */
  async read(): Promise<readonly (readonly [string, KnownTools])[]> {
    if (this.#store === undefined) return [];
    const { readMs } = this.#times;
    try {
      const reading = this.#store.read();
      if (!(await isResolvedWithin(reading, readMs)))
        throw new Error(`it was not read within ${readMs} ms`);
      const text = await reading;
      const servers = text === undefined ? [] : parseLedger(text);
      if (servers !== undefined) return servers;
      this.#logUnreadable('the text has an unknown format');
    } catch (error) {
      // The storage may only be unreachable, so its text must not be overwritten.
      this.#isWritable = false;
      this.#logUnreadable(formatReason(error));
    }
    return [];
  }

  schedule(): void {
    this.#hasChanges = true;
    if (this.#isWritable) this.#planned ??= this.#plan();
  }

  /** Writes pending changes. @returns whether nothing is pending */
  async flush(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#write());
    await this.#last;
    return !this.#hasChanges;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.flush();
  }

  #logUnreadable(reason: string): void {
    const event = 'declared-tools.unreadable';
    const kept = !this.#isWritable;
    this.#log({ level: 'warn', event, reason: formatSafeLine(reason), kept });
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
      if (this.#hasFailed) this.#log({ level: 'info', event: 'declared-tools.saved' });
      this.#hasFailed = false;
    } catch (error) {
      this.#hasChanges = true;
      if (!this.#hasFailed) {
        const reason = formatSafeLine(formatReason(error));
        this.#log({ level: 'warn', event: 'declared-tools.unsaved', reason });
      }
      this.#hasFailed = true;
    }
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

/** Maximum number of accepted tool names in one event; further names are counted. */
const MAX_NAMES = 20;

type ServerIdentity = Pick<McpServer['metadata'], 'name' | 'namespace'>;

const listNames = (tools: readonly string[]): readonly string[] => {
  const names = tools.slice(0, MAX_NAMES).map((tool) => formatSafeLine(tool));
  const more = tools.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
};

interface DeclaredToolsDependencies {
  readonly log: DownstreamLog;
  readonly emit?: EventSink | undefined;
  readonly onHintWidened?: ((widened: HintWidened) => void) | undefined;
  readonly now: () => number;
  readonly declaredTools?: DeclaredToolsStore | undefined;
  readonly pinToolHints?: boolean | undefined;
}

/** Maximum number of remembered servers. The server whose tools were listed least recently is evicted. */
const MAX_SERVERS = 2_000;

const NONE: readonly ToolChange[] = [];

export class DeclaredTools {
  readonly #dependencies: DeclaredToolsDependencies;
  readonly #pins: boolean;
  readonly #budget: ReportBudget;
  readonly #persistence: LedgerPersistence;
  /** In order of their last listing, the least recent first. */
  readonly #ledgers = new Map<string, ServerLedger>();
  readonly #lines = new WeakMap<ServerLedger, string>();
  /** Resolves, within a bound, when the stored declarations are loaded. Reviews must wait for it. */
  readonly ready: Promise<void>;

  constructor(dependencies: DeclaredToolsDependencies) {
    this.#dependencies = dependencies;
    this.#pins = dependencies.pinToolHints ?? false;
    this.#budget = new ReportBudget(dependencies.now);
    this.#persistence = new LedgerPersistence(
      dependencies.declaredTools,
      () => this.#text(),
      dependencies.log,
    );
    this.ready = this.#load();
  }

  /** Compares the tools of a server with the remembered declarations, reports changes and remembers them. */
  review(server: ServerIdentity, tools: readonly ServerTool[]): void {
    const ledger = this.#openLedger(server.name);
    const { changes, isChanged } = ledger.observe(tools, this.#dependencies.now());
    if (isChanged) this.#scheduleWrite(ledger);
    this.#reportChanges(server, changes);
  }

  /** Returns the tools with their accepted hints; the same list unless hints are held. */
  applyAccepted(server: string, tools: readonly ServerTool[]): readonly ServerTool[] {
    const ledger = this.#ledgers.get(server);
    if (!this.#pins || ledger === undefined) return tools;
    if (!tools.some(({ name }) => ledger.isHeld(name))) return tools;
    return tools.map((tool) =>
      ledger.isHeld(tool.name) ? withReadOnlyHint(tool, ledger.findAcceptedHint(tool.name)) : tool,
    );
  }

  /** The same array while it is unchanged. */
  listChanges(server: string): readonly ToolChange[] {
    return this.#ledgers.get(server)?.listChanges() ?? NONE;
  }

  /** Accepts the present declarations of these tools, or of all. The owner of the lists must call {@link applyAccepted} again. */
  async accept(
    server: ServerIdentity,
    tools: readonly string[] | undefined,
  ): Promise<AcceptOutcome> {
    await this.ready;
    const ledger = this.#ledgers.get(server.name) ?? new ServerLedger(this.#pins);
    const unknown = ledger.listUnknown(tools ?? []);
    if (unknown.length > 0) return { kind: 'unknown-tools', tools: unknown };
    const accepted = ledger.accept(tools);
    if (accepted.length === 0) return { kind: 'done', tools: accepted };
    this.#scheduleWrite(ledger);
    this.#reportAccepted(server, accepted);
    return { kind: 'done', tools: accepted };
  }

  save(): Promise<boolean> {
    return this.#persistence.flush();
  }

  close(): Promise<void> {
    return this.#persistence.close();
  }

  async #load(): Promise<void> {
    for (const [name, tools] of await this.#persistence.read())
      this.#ledgers.set(name, new ServerLedger(this.#pins, tools));
  }

  #openLedger(name: string): ServerLedger {
    const ledger = this.#ledgers.get(name) ?? new ServerLedger(this.#pins);
    this.#ledgers.delete(name);
    this.#ledgers.set(name, ledger);
    for (const oldest of this.#ledgers.keys()) {
      if (this.#ledgers.size <= MAX_SERVERS) break;
      this.#ledgers.delete(oldest);
    }
    return ledger;
  }

  #scheduleWrite(ledger: ServerLedger): void {
    this.#lines.delete(ledger);
    this.#persistence.schedule();
  }

  #text(): string {
    return formatLedger(
      [...this.#ledgers].map(([name, ledger]) => {
        const line = this.#lines.get(ledger) ?? formatServerLine(name, ledger.tools);
        this.#lines.set(ledger, line);
        return line;
      }),
    );
  }

  /** Reports the changes of one listing: widened hints first, within a rate limit per server, with a count of the omitted ones. */
  #reportChanges(server: ServerIdentity, changes: readonly ObservedChange[]): void {
    if (changes.length === 0) return;
    const widened = changes.filter((change) => change.widened);
    for (const { tool, held } of widened)
      this.#dependencies.onHintWidened?.({ server: server.name, tool, held });
    const ordered = [...widened, ...changes.filter((change) => !change.widened)];
    const count = this.#budget.take(server.name, ordered.length);
    for (const change of ordered.slice(0, count)) this.#reportChange(server, change);
    const omitted = ordered.slice(count);
    if (omitted.length > 0)
      this.#dependencies.log({
        level: 'warn',
        server: server.name,
        event: 'server.tool-changes-omitted',
        count: omitted.length,
        widened: omitted.filter((change) => change.widened).length,
      });
  }

  #reportChange(
    { name, namespace }: ServerIdentity,
    { tool: rawName, fields, widened, held }: ObservedChange,
  ): void {
    const { log, emit } = this.#dependencies;
    const tool = formatSafeLine(rawName);
    log({ level: 'info', server: name, event: 'server.tool-changed', tool, fields });
    emit?.({ reason: 'MCPServerToolChanged', name, namespace, tool, fields });
    if (!widened) return;
    log({ level: 'warn', server: name, event: 'server.tool-hint-widened', tool, held });
    emit?.({ reason: 'MCPServerToolHintWidened', name, namespace, tool, held });
  }

  #reportAccepted({ name, namespace }: ServerIdentity, accepted: readonly string[]): void {
    const { log, emit } = this.#dependencies;
    const tools = listNames(accepted);
    log({ level: 'info', server: name, event: 'server.tools-accepted', tools });
    emit?.({ reason: 'MCPServerToolsAccepted', name, namespace, tools });
  }
}
