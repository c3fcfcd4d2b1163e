/** A standard condition, as Kubernetes writes it. Times are RFC 3339. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that the condition is about; absent for a resource that is not in a cluster. */
  readonly observedGeneration?: number;
}
