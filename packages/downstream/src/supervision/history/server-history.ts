import type { McpServer, McpServerStatus } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { HealthNews } from '../../connection/health-check.ts';
import { NEW_RECORD, recorded } from './server-record.ts';
import type { ServerRecord, Step } from './server-record.ts';
import { statusOf } from './server-status.ts';
import type { StatusFacts } from './server-status.ts';
import { NEW_STORY, toldOfHealth, toldOfStep } from './event-state.ts';
import type { Told } from './event-state.ts';

/** What a history needs of the world. */
export interface HistoryWorld {
  readonly emit: EventSink;
  /** Milliseconds since the epoch: for stamps only. */
  readonly wallNow: () => number;
}

/** Remembers what happened to a server, and tells it. */
export class ServerHistory {
  readonly #world: HistoryWorld;
  #record: ServerRecord = NEW_RECORD;
  #story = NEW_STORY;
  #status: McpServerStatus | undefined;

  constructor(world: HistoryWorld) {
    this.#world = world;
  }

  get record(): ServerRecord {
    return this.#record;
  }

  /** Takes a transition. */
  take(server: McpServer, step: Omit<Step, 'at'>, tools: number): void {
    const dated = { ...step, at: this.#world.wallNow() };
    this.#record = recorded(this.#record, dated);
    const { name, namespace } = server.metadata;
    this.#tell(toldOfStep(this.#story, dated, { name, namespace, tools }));
  }

  /** Takes a change of health. */
  takeHealth({ metadata }: McpServer, health: HealthNews): void {
    const { name, namespace } = metadata;
    this.#tell(toldOfHealth(this.#story, health, { name, namespace }));
  }

  /** The status as it is now; the same object while nothing of it changed. */
  status(facts: Omit<StatusFacts, 'record' | 'at'>): McpServerStatus {
    const at = this.#world.wallNow();
    this.#status = statusOf({ ...facts, record: this.#record, at }, this.#status);
    return this.#status;
  }

  #tell({ story, events }: Told): void {
    this.#story = story;
    for (const event of events) this.#world.emit(event);
  }
}
