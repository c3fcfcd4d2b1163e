/** The election of the process that does the work of which several replicas need one. */
export interface Leadership {
  /** Returns whether this process leads now. A process that cannot renew its lease stops leading before another one may start. */
  isLeader(): boolean;
  /** Calls a listener after each change of {@link Leadership.isLeader}, until the returned function is called. The listener must not throw. */
  onChange(listener: (isLeader: boolean) => void): () => void;
}

/** The leadership of a process without replicas. */
export const SOLE_LEADER: Leadership = {
  isLeader: () => true,
  onChange: () => () => undefined,
};
