import type {
  ConfigDocument,
  FileStore,
  ServerWriter,
  StoreListener,
  StoreState,
  WorkflowResource,
  WorkflowWriter,
} from '@gateway/resource-store';
import type { GatewayConfig } from '@gateway/gateway-config';

/** A store whose configuration somebody else reads. It knows no servers, since these are supervised elsewhere. */
export interface PushedStore extends FileStore {
  /** The configuration as it is from now on; it was accepted where it was read. */
  readonly push: (config: GatewayConfig) => void;
  /** The workflows as they are from now on. */
  readonly pushWorkflows: (workflows: readonly WorkflowResource[]) => void;
}

/** Writers that write where the configuration is read. */
export interface PushedWriters {
  readonly workflows: WorkflowWriter;
  readonly servers: ServerWriter;
}

/** Starts with a configuration that was accepted. */
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
      // Orders about the configuration go to whoever reads it, and never here.
      patch: () => Promise.resolve({ kind: 'failed', text: 'this process does not read it' }),
    },
    refresh: () => Promise.resolve(),
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

/** The document that this configuration would be read from. */
export function configDocument(config: GatewayConfig): ConfigDocument {
  return { file: 'config.yaml', value: config, locate: () => ({ line: 1, column: 1 }) };
}
