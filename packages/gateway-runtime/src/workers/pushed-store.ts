import type {
  ConfigDocument,
  GatewayStore,
  ServerWriter,
  StoreListener,
  StoreState,
  WorkflowResource,
  WorkflowWriter,
} from '@gateway/resource-store';
import type { GatewayConfig } from '@gateway/gateway-config';

/** A store in a worker. The primary process reads the configuration and supervises the servers, so the store has no servers. */
export interface PushedStore extends GatewayStore {
  /** Replaces the configuration. The primary process has validated it. */
  readonly push: (config: GatewayConfig) => void;
  /** Replaces the workflows. */
  readonly pushWorkflows: (workflows: readonly WorkflowResource[]) => void;
}

/** Writers that write through the primary process. */
export interface PushedWriters {
  readonly workflows: WorkflowWriter;
  readonly servers: ServerWriter;
}

/** Creates a store with a configuration that the primary process has validated. */
export function createPushedStore(config: GatewayConfig, writers: PushedWriters): PushedStore {
  const listeners = new Set<StoreListener>();
  let state: StoreState = stateOf(config);
  const change = (changed: Partial<StoreState>): void => {
    const previous = state;
    state = { ...state, ...changed };
    for (const listener of [...listeners]) listener(state, previous);
  };
  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    ...writers,
    config: {
      // Commands about the configuration go to the primary process.
      patch: () =>
        Promise.resolve({
          kind: 'failed',
          text: '`config.yaml` is managed by the primary process',
        }),
    },
    refresh: () => Promise.resolve(),
    // Statuses are written by the primary process.
    writeStatus: () =>
      Promise.resolve({ kind: 'failed', text: 'statuses are written by the primary process' }),
    status: () => undefined,
    close: () => {
      listeners.clear();
      return Promise.resolve();
    },
    push: (next) => {
      change({ config: configDocument(next) });
    },
    pushWorkflows: (workflows) => {
      change({ workflows });
    },
  };
}

function stateOf(config: GatewayConfig): StoreState {
  return {
    config: configDocument(config),
    configProblems: [],
    servers: [],
    workflows: [],
    problems: [],
  };
}

/** Returns a document with this configuration. */
export function configDocument(config: GatewayConfig): ConfigDocument {
  return { source: 'config.yaml', value: config, locate: () => ({ line: 1, column: 1 }) };
}
