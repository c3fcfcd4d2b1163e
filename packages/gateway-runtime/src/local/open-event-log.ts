import { backoffDelay } from '@gateway/call-contract';
import type { EventKind, EventLines } from '@gateway/events';
import { LineSegments, type SegmentLimits } from '@gateway/files';

/** Bounds of an event log. */
export type EventLogLimits = SegmentLimits & {
  /** Interval between writes, in milliseconds. The default is 200. */
  readonly gatherMs: number;
  /** Delay before the first retry of a failed write, in milliseconds. The default is 1,000. It doubles up to 30 seconds. */
  readonly retryMs: number;
};

const EVENT_LOG_LIMITS: EventLogLimits = {
  segmentBytes: 1_048_576,
  maxSegments: 4,
  gatherMs: 200,
  retryMs: 1_000,
};

const MAX_RETRY_MS = 30_000;

class EventLog implements EventLines {
  readonly #limits: EventLogLimits;
  readonly #segments: Readonly<Record<EventKind, LineSegments>>;
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #isClosed = false;

  constructor(directory: string, limits: EventLogLimits) {
    this.#limits = limits;
    this.#segments = {
      MCPServer: new LineSegments(directory, 'mcpserver', limits),
      Workflow: new LineSegments(directory, 'workflow', limits),
      Configuration: new LineSegments(directory, 'configuration', limits),
    };
  }

  readonly append = (kind: EventKind, lines: readonly string[]): Promise<void> =>
    this.#segments[kind].append(lines);

  readonly read = (kind: EventKind, count: number): Promise<readonly string[]> =>
    this.#segments[kind].read(count);

  readonly pause = (failures: number): Promise<void> => {
    if (this.#isClosed) return Promise.resolve();
    const { gatherMs, retryMs } = this.#limits;
    const delays = { firstMs: retryMs, maxMs: MAX_RETRY_MS };
    const ms = failures === 0 ? gatherMs : backoffDelay(failures - 1, delays);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      // Closing the log writes the events that are still buffered.
      timer.unref();
      this.#timers.set(timer, resolve);
    });
  };

  readonly close = (): Promise<void> => {
    this.#isClosed = true;
    for (const [timer, resolve] of this.#timers) {
      clearTimeout(timer);
      resolve();
    }
    this.#timers.clear();
    return Promise.resolve();
  };
}

/**
 * Stores events as JSON lines in the files `mcpserver-*.jsonl`, `workflow-*.jsonl` and `configuration-*.jsonl` of a directory, which
 * the first write creates: at most 4 files of about 1 MiB for each kind. One process writes to a directory at a time.
 */
export const openEventLog = (directory: string, limits: Partial<EventLogLimits> = {}): EventLines =>
  new EventLog(directory, { ...EVENT_LOG_LIMITS, ...limits });
