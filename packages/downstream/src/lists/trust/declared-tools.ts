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

/** The dependencies of the tool declarations. */
export interface DeclaredToolsDependencies extends ReportsDependencies {
  /** Storage between runs; without it, declarations are remembered for this run only. */
  readonly declaredTools?: DeclaredToolsStore | undefined;
  /** A `readOnlyHint` that changes to true takes effect only after it is accepted. */
  readonly pinToolHints?: boolean | undefined;
  readonly persistenceTimes?: PersistenceTimes;
}

type ServerIdentity = Pick<McpServer['metadata'], 'name' | 'namespace'>;

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
