import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import type { DownstreamLog } from '../../wire/log-event.ts';
import { sanitisedLine } from '../../wire/reason.ts';
import type { HintWidened } from './hint-widened.ts';
import { ReportBudget } from './report-budget.ts';
import type { ObservedChange } from './server-ledger.ts';

/** Where changes of tools are reported. */
export interface ReportsDependencies {
  readonly log: DownstreamLog;
  readonly emit?: EventSink | undefined;
  readonly onHintWidened?: ((widened: HintWidened) => void) | undefined;
  readonly now: () => number;
}

/** Names of accepted tools in one event; the others are counted. */
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

/** Tells of tools that are not declared as before: wider hints first, all of them counted, within a budget for each server. */
export class ToolReports {
  readonly #dependencies: ReportsDependencies;
  readonly #budget: ReportBudget;

  constructor(dependencies: ReportsDependencies) {
    this.#dependencies = dependencies;
    this.#budget = new ReportBudget(dependencies.now);
  }

  /** These changes were seen in one list. */
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

  /** Somebody accepted what the server says of these tools. */
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
