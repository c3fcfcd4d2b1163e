import {
  createEventRecorder,
  type EventKind,
  type EventListener,
  type EventRecorder,
  type EventSink,
} from '@gateway/events';
import type { StateDirectory } from '@gateway/files';
import type { McpServer } from '@gateway/crd-schemas';
import type { GatewayStore, WorkflowResource } from '@gateway/resource-store';
import type { StateStore } from '@gateway/state-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';
import { EventReplicas } from '../replicas/event-replicas.ts';
import { replicaPeers } from '../replicas/replica-peers.ts';
import { openEventLog } from './open-event-log.ts';

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

/** Options of {@link openEventRecorder}. */
export interface EventRecorderOptions {
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
const namespacesIn = <Resource>(namedOf: (resource: Resource) => Named | undefined) => {
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
const namespaceOfEvents = ({
  store,
  config,
}: EventRecorderOptions): ((kind: EventKind, name: string) => string | undefined) => {
  const ofServers = namespacesIn(({ metadata }: McpServer) => metadata);
  const ofWorkflows = namespacesIn((resource: WorkflowResource) =>
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
      : new EventReplicas(replicaPeers(stateStore, 'event-peers'));
  const recorder = createEventRecorder({
    ...(lines !== undefined && { lines }),
    ...(replicas !== undefined && { join: replicas.join }),
    now: Date.now,
    namespaceOf: namespaceOfEvents(options),
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
