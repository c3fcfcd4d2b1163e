/**
 * A channel to the other processes that serve the same endpoint: replicas behind a load balancer.
 * Messages are plain JSON; a receiver trusts their sender.
 */
export interface Peers {
  /** Unique among the processes, over their restarts: letters, digits, `-` and `_`. */
  readonly id: string;
  /** Sends a message to all other processes; lost messages cost a timeout, never a wrong answer. */
  send(message: object): void;
  /** Receives the messages of the others, until the returned function is called. */
  onMessage(handler: (message: unknown) => void): () => void;
}
