import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import type { DownstreamLog } from '../../wire/log-event.ts';
import { sanitisedLine } from '../../wire/reason.ts';
import type { HintWidened } from './hint-widened.ts';
import { ReportBudget } from './report-budget.ts';
import type { ObservedChange } from './server-ledger.ts';

/** The receivers of reports about tool changes. */
export interface ReportsDependencies {
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
export class ToolReports {
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
