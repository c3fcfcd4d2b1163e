/** The times and timers that a storage of several processes needs. */
export interface RecordTimer {
  /** Returns a monotonic time in milliseconds. */
  elapsed(): number;
  /** Calls an action once after a delay. Returns a function that cancels the call. */
  after(delayMs: number, action: () => void): () => void;
}
