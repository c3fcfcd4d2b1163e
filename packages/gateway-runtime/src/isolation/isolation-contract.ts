/** The work that one process does for the gateway, one piece at a time. Values are sent in parts. */
export interface Isolation {
  /** Receives the next part of the work. */
  push(part: string): Promise<void>;
  /** Returns the next part of the result, and an empty text after the last one. The first call does the work. */
  pull(): Promise<string>;
}
