/**
 * One end of a channel between the process that owns the servers and a process that uses them. Messages are plain data, keep
 * their order, and arrive unless the channel closes.
 */
export interface HubPort {
  /** Sends a message; never throws, and does nothing on a closed channel. */
  send(message: object): void;
  /** Names the one reader of what the other end sends. */
  onMessage(handler: (message: unknown) => void): void;
  /** Is told once that nothing can be sent or received any more. */
  onClose(handler: () => void): void;
}
