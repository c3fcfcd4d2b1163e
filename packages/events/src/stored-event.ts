/** The kinds of resources that events are about. */
export type EventKind = 'MCPServer' | 'Workflow' | 'Configuration';

/** Whether an event wants attention. */
export type EventType = 'Normal' | 'Warning';

/** An event as it is remembered: equal ones of a while are one with a count. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** Grows with every event of a log, over restarts too. An aggregated event takes the number of its latest occurrence. */
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
