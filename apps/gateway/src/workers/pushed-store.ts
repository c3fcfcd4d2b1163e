import type {
  ConfigDocument,
  FileStore,
  StoreListener,
  StoreState,
  WorkflowResource,
  WorkflowWriter,
} from '@gateway/resource-store';
import type { GatewayConfig } from '../config.ts';

/** A store whose configuration somebody else reads. It knows no servers, since these are supervised elsewhere. */
export interface PushedStore extends FileStore {
  /** The configuration as it is from now on; it was accepted where it was read. */
  readonly push: (config: GatewayConfig) => void;
  /** The workflows as they are from now on. */
  readonly pushWorkflows: (workflows: readonly WorkflowResource[]) => void;
}

/**
 * Starts with a configuration that was accepted.
 *
 * @param writer writes where the configuration is read
 */
export function createPushedStore(config: GatewayConfig, writer: WorkflowWriter): PushedStore {
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
    workflows: writer,
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
