import type {
  RestrictedWrite,
  ServerWriteOutcome,
  WriteOutcome,
  RecordBlobs,
} from '@gateway/call-contract';
import type { StoredSecret } from '@gateway/client-config';
import type {
  McpServerStatus,
  ReferenceKind,
  Workflow,
  WorkflowStatus,
  ResourceKind,
} from '@gateway/crd-schemas';
import type { EventLines } from '@gateway/events';
import type { Mapping } from '@gateway/files';
import type {
  ConfigDocument,
  ConfigState,
  ResourceKey,
  ResourceState,
  StoreState,
} from './resources.ts';

/** The result of writing the configuration. */
export type ConfigWriteResult = Exclude<ServerWriteOutcome, { kind: 'exists' | 'missing' }>;

/** Writes `config.yaml` atomically, one write after the other. Never rejects. */
export interface ConfigWriter {
  /**
   * Merges a patch into the document (RFC 7396), or creates it. Preserves everything else, including comments.
   *
   * @param check returns the problems of the resulting document; it is written when there are none
   */
  readonly patch: (
    patch: Mapping,
    check: (document: ConfigDocument) => readonly string[],
  ) => Promise<ConfigWriteResult>;
}

/** The outcome of writing the values that a resource refers to, before it. */
export type WrittenSecrets =
  | {
      readonly ok: true;
      /** Restores what was there before, when the resource cannot be written. Never rejects. */
      readonly undo: () => Promise<void>;
      /** Lets a new resource own them, where the backend has owners. Never rejects. */
      readonly own: (uid: string) => Promise<void>;
    }
  /** Nothing changed. The text is one line without a full stop and without values. */
  | { readonly ok: false; readonly text: string };

/** Nothing was to be written. */
export const NOTHING_WRITTEN: WrittenSecrets = {
  ok: true,
  undo: () => Promise.resolve(),
  own: () => Promise.resolve(),
};

export interface PatchLimits {
  /** Refuse each change of where values of Secrets and ConfigMaps are sent, also in a definition that is not valid. */
  readonly keepsDestination: boolean;
}

/**
 * Writes servers atomically. Writes of one key run one after the other. A resource that would break a rule is not written. Secrets in what is
 * written move to the Secret of the server, and the resource has references; neither is written without the other. Never rejects.
 *
 * @spec §1.5
 */
export interface ServerWriter {
  /** Creates a server from its whole document, which may refer to the given values of its Secret; never replaces one. */
  readonly create: (
    document: Mapping,
    secrets?: readonly StoredSecret[],
  ) => Promise<ServerWriteOutcome>;
  /**
   * Merges a patch into `spec` (RFC 7396). Preserves everything else, including comments where the backend has them. A value `***` keeps the stored
   * one. The limits apply to the version that the patch replaces.
   */
  readonly patch: (
    key: ResourceKey,
    specPatch: Mapping,
    limits?: PatchLimits,
    secrets?: readonly StoredSecret[],
  ) => Promise<ServerWriteOutcome | RestrictedWrite>;
  /** Records on the server whether it is stopped on request. Absent for files, which belong to their users. */
  readonly requestStop?: (key: ResourceKey, isRequested: boolean) => Promise<ServerWriteOutcome>;
  /** Deletes a server, valid or not, with its Secret unless another resource refers to that. */
  readonly remove: (key: ResourceKey) => Promise<WriteOutcome>;
}

/**
 * Writes workflows atomically. Writes of one key run one after the other. Never rejects.
 *
 * @spec §1.5
 */
export interface WorkflowWriter {
  /** Creates a workflow; never replaces one. */
  readonly create: (workflow: Workflow) => Promise<WriteOutcome>;
  /**
   * Replaces `spec`, and sets the labels and annotations of the workflow. Preserves other metadata, and comments and the order of keys where
   * the backend has them.
   */
  readonly replace: (workflow: Workflow) => Promise<WriteOutcome>;
  /** Deletes a workflow, valid or not. */
  readonly remove: (key: ResourceKey) => Promise<WriteOutcome>;
}

export interface StatusByKind {
  readonly MCPServer: McpServerStatus;
  readonly Workflow: WorkflowStatus;
}

export interface StatusReference<Kind extends ResourceKind = ResourceKind> extends ResourceKey {
  readonly kind: Kind;
}

export type StatusWriteResult =
  /** The resource has the status. Fields that only count attempts may follow later. */
  | { readonly kind: 'done' }
  /** Another replica leads and writes its own. This one remembers the status, and writes it when it leads and the resource has another. */
  | { readonly kind: 'deferred' }
  /** The resource does not exist. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly text: string };

export interface StatusWriteOptions {
  /**
   * The gateway does not know the state yet, for example during the first attempt after its start. It is written only to a resource without
   * a status about its present definition, so that a restart does not replace what is known.
   */
  readonly isProvisional?: boolean;
}

/** Reads and writes the `status` that the gateway reports for a resource. */
export interface ResourceStatusWriter {
  /**
   * Writes the whole status of a resource. The desired state does not change, so that listeners are not called. A status ends with its
   * resource.
   */
  readonly writeStatus: <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
    status: StatusByKind[Kind],
    options?: StatusWriteOptions,
  ) => Promise<StatusWriteResult>;
  /** Returns the status that was written last; undefined for none. */
  readonly status: <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ) => StatusByKind[Kind] | undefined;
}

export interface SecretValueReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

/** The value, or one line why there is none. */
export type SecretValue =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

export interface SecretValues {
  /** Returns the current value without a line break at its end. Never rejects. */
  readonly read: (reference: SecretValueReference) => Promise<SecretValue>;
}

/** A key of a Secret or ConfigMap. */
export interface ReferencedKey {
  readonly kind: ReferenceKind;
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** The text of a key, or why there is none: `pending` until it was read once. The reason contains no value. */
export type ReferencedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'pending' | 'absent' | 'unreadable';
      readonly reason: string;
    };

/** The texts of keys of Secrets and ConfigMaps, which are read again when they change. */
export interface ReferencedTexts {
  /** Follows these keys and no others. Resolves when each was read or could not be read. Never rejects. */
  readonly follow: (keys: readonly ReferencedKey[]) => Promise<void>;
  /** Returns the current text of a followed key, without a line break at its end. */
  readonly read: (key: ReferencedKey) => ReferencedText;
  /** Calls the listener after changes until the returned function is called. The listener must not throw. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Stops following. */
  readonly close: () => void;
}

/** A state that changes. */
interface Observable<State> {
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
  readonly records?: Required<RecordBlobs>;
  /** Values of Secrets next to the resources; absent for files. */
  readonly secrets?: SecretValues;
  /** Values of variables and headers next to the resources; absent for files. */
  readonly referencedTexts?: ReferencedTexts;
  /** Stops and releases everything. Idempotent. */
  readonly close: () => Promise<void>;
}

type Listener<State> = (state: State, previous: State) => void;

/** A state that changes, and its listeners, which must not throw. */
export class ObservableState<State> {
  readonly #listeners = new Set<Listener<State>>();
  #state: State;

  constructor(first: State) {
    this.#state = first;
  }

  readonly current = (): State => this.#state;

  /** Calls the listener with each new state and the previous one, until the returned function is called. */
  readonly subscribe = (listener: Listener<State>): (() => void) => {
    // A new function, so that one listener can be subscribed twice.
    const own: Listener<State> = (state, previous) => {
      listener(state, previous);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Replaces the state. The same state is no change. */
  set(state: State): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state, previous);
  }

  /** Removes all listeners. */
  close(): void {
    this.#listeners.clear();
  }
}
