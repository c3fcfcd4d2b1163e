import type { ServerTool } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { sanitisedLine } from '../../wire/reason.ts';
import type { DeclaredToolsStore } from './declared-tools-store.ts';
import { heldTool } from './held-tool.ts';
import { LedgerPersistence } from './ledger-persistence.ts';
import type { PersistenceEvent, PersistenceTimes } from './ledger-persistence.ts';
import { ledgerText, serverLine } from './ledger-text.ts';
import { ServerLedger } from './server-ledger.ts';
import type { AcceptOutcome, ToolChange } from './tool-change.ts';
import { ToolReports } from './tool-reports.ts';
import type { ReportsDependencies } from './tool-reports.ts';

/** What watching the declarations of servers takes. */
export interface DeclaredToolsDependencies extends ReportsDependencies {
  /** Where it is kept between runs; without it, it is known since the start only. */
  readonly declaredTools?: DeclaredToolsStore | undefined;
  /** A `readOnlyHint` that turns to true does not count before it is accepted. */
  readonly pinToolHints?: boolean | undefined;
  readonly persistenceTimes?: PersistenceTimes;
}

type ServerIdentity = Pick<McpServer['metadata'], 'name' | 'namespace'>;

/** Servers that are remembered; beyond it the one that listed its tools the longest ago is forgotten. */
const MAX_SERVERS = 2_000;

const NONE: readonly ToolChange[] = [];

/** What all servers say of their tools, compared with what they said before. */
export class DeclaredTools {
  readonly #dependencies: DeclaredToolsDependencies;
  readonly #pins: boolean;
  readonly #reports: ToolReports;
  readonly #persistence: LedgerPersistence;
  /** The server that listed its tools the longest ago first. */
  readonly #ledgers = new Map<string, ServerLedger>();
  /** The lines of the text that are still true. */
  readonly #lines = new WeakMap<ServerLedger, string>();
  /** Resolves, within a bound, once what was known in earlier runs is known. Nothing may be reviewed before. */
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
   * Compares a server's list with what is known, tells of changes and remembers them.
   *
   * @returns the tools as the catalog gets them: the very same list unless hints are held
   */
  review(server: ServerIdentity, tools: readonly ServerTool[]): readonly ServerTool[] {
    const ledger = this.#ledgerOf(server.name);
    const { changes, isChanged } = ledger.observe(tools, this.#dependencies.now());
    if (isChanged) this.#changed(ledger);
    this.#reports.changed(server, changes);
    return this.asAccepted(server.name, tools);
  }

  /** The tools with the hints that are accepted; the very same list unless hints are held. */
  asAccepted(server: string, tools: readonly ServerTool[]): readonly ServerTool[] {
    const ledger = this.#ledgers.get(server);
    if (!this.#pins || ledger === undefined) return tools;
    if (!tools.some(({ name }) => ledger.isHeld(name))) return tools;
    return tools.map((tool) =>
      ledger.isHeld(tool.name) ? heldTool(tool, ledger.acceptedHint(tool.name)) : tool,
    );
  }

  /** The same array while nothing changed. */
  changesOf(server: string): readonly ToolChange[] {
    return this.#ledgers.get(server)?.changes() ?? NONE;
  }

  /** Accepts what a server says of these tools, or of all. Whoever has its lists must ask for {@link asAccepted} again. */
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

  /** Whether everything that was accepted is written down; tries to. */
  saved(): Promise<boolean> {
    return this.#persistence.flush();
  }

  /** Writes down what is not yet written. */
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
