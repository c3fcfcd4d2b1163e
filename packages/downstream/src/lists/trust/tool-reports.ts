import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import type { DownstreamLog } from '../../wire/log-event.ts';
import { sanitisedLine } from '../../wire/reason.ts';
import type { HintWidened } from './hint-widened.ts';
import { ReportBudget } from './report-budget.ts';
import type { Sighting } from './server-ledger.ts';

/** Where changes of tools are told. */
export interface ReportsWorld {
  readonly log: DownstreamLog;
  readonly emit?: EventSink | undefined;
  readonly onHintWidened?: ((widened: HintWidened) => void) | undefined;
  readonly now: () => number;
}

/** Names of accepted tools in one event; the others are counted. */
const MAX_NAMES = 20;

type Who = Pick<McpServer['metadata'], 'name' | 'namespace'>;

const changedEvent = ({ name, namespace }: Who, { tool, fields }: Sighting): GatewayEvent => ({
  reason: 'MCPServerToolChanged',
  ...{ name, namespace, tool: sanitisedLine(tool), fields },
});

const widenedEvent = ({ name, namespace }: Who, { tool, held }: Sighting): GatewayEvent => ({
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
  readonly #world: ReportsWorld;
  readonly #budget: ReportBudget;

  constructor(world: ReportsWorld) {
    this.#world = world;
    this.#budget = new ReportBudget(world.now);
  }

  /** These changes were seen in one list. */
  changed(server: Who, sightings: readonly Sighting[]): void {
    if (sightings.length === 0) return;
    const widened = sightings.filter((sighting) => sighting.widened);
    for (const { tool, held } of widened)
      this.#world.onHintWidened?.({ server: server.name, tool, held });
    const rest = sightings.filter((sighting) => !sighting.widened);
    const ordered = [...widened, ...rest];
    const told = ordered.slice(0, this.#budget.take(server.name, ordered.length));
    for (const sighting of told) this.#one(server, sighting);
    this.#untold(server, ordered.slice(told.length));
  }

  /** Somebody accepted what the server says of these tools. */
  accepted({ name, namespace }: Who, tools: readonly string[]): void {
    const accepted = named(tools);
    this.#world.log({
      level: 'info',
      server: name,
      event: 'server.tools-accepted',
      tools: accepted,
    });
    this.#world.emit?.({
      reason: 'MCPServerToolsAccepted',
      ...{ name, namespace, tools: accepted },
    });
  }

  #one(server: Who, sighting: Sighting): void {
    const { tool, fields, widened, held } = sighting;
    const about = { server: server.name, tool: sanitisedLine(tool) };
    this.#world.log({ level: 'info', event: 'server.tool-changed', ...about, fields });
    this.#world.emit?.(changedEvent(server, sighting));
    if (!widened) return;
    this.#world.log({ level: 'warn', event: 'server.tool-hint-widened', ...about, held });
    this.#world.emit?.(widenedEvent(server, sighting));
  }

  #untold({ name }: Who, untold: readonly Sighting[]): void {
    if (untold.length === 0) return;
    this.#world.log({
      level: 'warn',
      server: name,
      event: 'server.tool-changes-untold',
      count: untold.length,
      widened: untold.filter(({ widened }) => widened).length,
    });
  }
}
