/** The kinds of resources that events are about. */
export type EventKind = 'MCPServer' | 'Workflow' | 'Configuration';

/** The type of an event; a `Warning` requires attention. */
export type EventType = 'Normal' | 'Warning';

/** A recorded event with the count of its occurrences. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** Increases with every occurrence, also across restarts. An aggregated event has the number of its latest occurrence. */
  readonly id: number;
  readonly kind: EventKind;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  readonly message: string;
  readonly type: EventType;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}
