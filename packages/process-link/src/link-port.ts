/**
 * One end of a message channel between two processes. Messages are plain data, arrive in the order in which they were sent, and arrive
 * unless the channel closes.
 */
export interface LinkPort {
  /**
   * Sends a message; never throws, and does nothing on a closed channel.
   *
   * @param sent called once when the message has left this process or cannot be sent any more
   * @param size of the message in characters
   */
  send(message: unknown, sent: () => void, size?: number): void;
  /** Sets the only receiver of incoming messages. */
  onMessage(handler: (message: unknown) => void): void;
  /** Registers a handler that runs once when the channel closes: at once if it is closed. */
  onClose(handler: () => void): void;
}
