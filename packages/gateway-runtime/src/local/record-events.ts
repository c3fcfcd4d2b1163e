import {
  EventRecorder,
  type EventKind,
  type EventLines,
  type EventListener,
  type EventSink,
} from '@gateway/events';
import { LineSegments, type SegmentLimits, type StateDirectory } from '@gateway/files';
import type { McpServer } from '@gateway/crd-schemas';
import type { GatewayStore, WorkflowResource } from '@gateway/resource-store';
import type { StateStore } from '@gateway/state-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';
import { EventReplicas } from '../replicas/event-replicas.ts';
import { computeBackoffDelay } from '@gateway/call-contract';
import { connectReplicaPeers } from '../replicas/join-replicas.ts';

/** Bounds of an event log. */
type EventLogLimits = SegmentLimits & {
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
    const ms = failures === 0 ? gatherMs : computeBackoffDelay(failures - 1, delays);
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

/** The events of a gateway. */
export interface GatewayEvents {
  readonly emit: EventSink;
  readonly query: EventRecorder['query'];
  readonly subscribe: (listener: EventListener) => () => void;
}

/** The events of a gateway whose recorder runs in this process. */
export interface RecordedEvents extends GatewayEvents {
  readonly close: () => Promise<void>;
}

interface EventRecorderOptions {
  readonly config: Pick<GatewayConfig, 'events' | 'kubernetes' | 'state'>;
  /** Directory of the event log; without it events end with the process. */
  readonly state?: StateDirectory | undefined;
  /** The store, which may have a storage of events of its own. */
  readonly store?: Pick<GatewayStore, 'eventLines' | 'current'>;
  /** The state that replicas share; they exchange their events over it unless it is in memory. */
  readonly stateStore?: StateStore;
  readonly logger: Logger;
}

interface Named {
  readonly name: string;
  readonly namespace: string;
}

/** Returns the namespaces of the resources of a list by their names; of a list that did not change, from memory. */
const createNamespaceLookup = <Resource>(namedOf: (resource: Resource) => Named | undefined) => {
  let known: readonly Resource[] | undefined;
  let namespaces = new Map<string, string>();
  return (resources: readonly Resource[], name: string): string | undefined => {
    if (resources !== known) {
      const named = resources.flatMap((resource) => namedOf(resource) ?? []);
      namespaces = new Map(named.map((key) => [key.name, key.namespace]));
    }
    known = resources;
    return namespaces.get(name);
  };
};

/** Returns the namespace of the resource of an event, which is that of its object in a cluster. */
const createNamespaceResolver = ({
  store,
  config,
}: EventRecorderOptions): ((kind: EventKind, name: string) => string | undefined) => {
  const ofServers = createNamespaceLookup(({ metadata }: McpServer) => metadata);
  const ofWorkflows = createNamespaceLookup((resource: WorkflowResource) =>
    resource.valid ? resource.workflow.metadata : undefined,
  );
  return (kind, name) => {
    switch (kind) {
      case 'MCPServer':
        return ofServers(store?.current().servers ?? [], name);
      case 'Workflow':
        return ofWorkflows(store?.current().workflows ?? [], name);
      case 'Configuration':
        return config.kubernetes.enabled ? config.kubernetes.namespace : undefined;
    }
  };
};

/** Opens the recorder of events, in memory and in the storage of the store, or with a state directory on disk. Replicas that share a state store have the events of each other. */
export function openEventRecorder(options: EventRecorderOptions): RecordedEvents {
  const { config, state, store, stateStore, logger } = options;
  const { maxEvents, aggregationSeconds } = config.events;
  const lines = store?.eventLines ?? (state && openEventLog(state.path));
  const replicas =
    config.state.store === 'memory' || stateStore === undefined
      ? undefined
      : new EventReplicas(connectReplicaPeers(stateStore, 'event-peers'));
  const recorder = new EventRecorder({
    ...(lines !== undefined && { lines }),
    ...(replicas !== undefined && { join: replicas.join }),
    now: Date.now,
    findNamespace: createNamespaceResolver(options),
    warn: (text) => {
      logger.warn(text);
    },
    limits: { maxEvents, aggregationMs: aggregationSeconds * 1000 },
  });
  void recorder.load();
  const { emit, query, subscribe } = recorder;
  const close = async (): Promise<void> => {
    replicas?.close();
    await recorder.close();
  };
  return { emit, query, subscribe, close };
}
