import type {
  ConfigDocument,
  FileStore,
  StoreListener,
  StoreState,
  WorkflowWriteResult,
} from '@gateway/resource-store';
import type { GatewayConfig } from '../config.ts';

/** A store whose configuration somebody else reads. It knows no servers, since these are supervised elsewhere. */
export interface PushedStore extends FileStore {
  /** The configuration as it is from now on; it was accepted where it was read. */
  readonly push: (config: GatewayConfig) => void;
}

/** Starts with a configuration that was accepted. */
export function createPushedStore(config: GatewayConfig): PushedStore {
  const listeners = new Set<StoreListener>();
  let state: StoreState = stateOf(config);
  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    workflows: { create: refuse, replace: refuse, remove: refuse },
    close: () => {
      listeners.clear();
      return Promise.resolve();
    },
    push: (next) => {
      const previous = state;
      state = { ...state, config: configDocument(next) };
      for (const listener of [...listeners]) listener(state, previous);
    },
  };
}

function refuse(): Promise<WorkflowWriteResult> {
  return Promise.resolve({ kind: 'failed', text: 'workflows are written by the primary' });
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
