import type { EventLines } from '@gateway/events';
import type { ConfigWriter } from './config-writer.ts';
import type { RecordBlobs } from './record-blobs.ts';
import type { ResourceStatusWriter } from './resource-status.ts';
import type { ReferencedTexts } from './referenced-texts.ts';
import type { SecretValues } from './secret-values.ts';
import type { ServerWriter } from './server-writer.ts';
import type { ConfigState, ResourceState, StoreState } from './state.ts';
import type { WorkflowWriter } from './workflow-writer.ts';

/** A state that changes. */
interface Observable<State> {
  /** Returns the current state. */
  readonly current: () => State;
  /** Calls the listener with each new state and the previous one. Returns a function that ends this. The listener must not throw. */
  readonly subscribe: (listener: (state: State, previous: State) => void) => () => void;
  /** Reads the current state from the backend. Resolves when the listeners were called. */
  readonly refresh: () => Promise<void>;
}

/**
 * The resources of a gateway, their status and their changes. After a write is `done`, the current state shows it and the listeners were
 * called.
 *
 * @spec §1.5
 */
export interface ResourceStore extends Observable<ResourceState>, ResourceStatusWriter {
  /** Resolves when every definition was read once, also when that is after the opening. Absent: they were read then. */
  readonly read?: Promise<void>;
  readonly servers: ServerWriter;
  readonly workflows: WorkflowWriter;
}

/** The document `config.yaml` of a gateway and its changes. */
export interface ConfigStore extends Observable<ConfigState> {
  readonly config: ConfigWriter;
}

/** The whole desired state of one gateway. */
export interface GatewayStore extends ResourceStore, ConfigStore, Observable<StoreState> {
  readonly current: () => StoreState;
  readonly subscribe: (listener: (state: StoreState, previous: StoreState) => void) => () => void;
  readonly refresh: () => Promise<void>;
  /** Storage of events next to the resources; absent for files. */
  readonly eventLines?: EventLines;
  /** Storage of the records of runs next to the resources, which is used from its first call on; absent for files. */
  readonly records?: RecordBlobs;
  /** Values of Secrets next to the resources; absent for files. */
  readonly secrets?: SecretValues;
  /** Values of variables and headers next to the resources; absent for files. */
  readonly referencedTexts?: ReferencedTexts;
  /** Stops and releases everything. Idempotent. */
  readonly close: () => Promise<void>;
}

/** A listener of a gateway store. */
export type StoreListener = Parameters<GatewayStore['subscribe']>[0];
