/** Bounds of the instances of stdio servers with `instances: perSession`. */
export interface InstancePolicy {
  /** An instance without a call for this long is ended, in milliseconds. */
  readonly idleMs: number;
  /** Maximum number of instances of one server. The least recently used one without a call is ended for another one. */
  readonly maxPerServer: number;
  /** Maximum number of instances of all servers. */
  readonly maxInstances: number;
  /** Maximum number of instances of one server for one person, or for one network of callers who have not signed in. */
  readonly maxOfServerPerPerson: number;
  /** Maximum number of instances of all servers for one person. */
  readonly maxPerPerson: number;
  /** Time after a failed start before the same client may cause another one, in milliseconds. */
  readonly retryMs: number;
}

/** Defaults for production. */
export const DEFAULT_INSTANCES: InstancePolicy = {
  idleMs: 600_000,
  maxPerServer: 32,
  maxInstances: 128,
  maxOfServerPerPerson: 16,
  maxPerPerson: 64,
  retryMs: 1_000,
};
