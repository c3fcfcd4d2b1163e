/** Time that running calls have to finish after SIGTERM, in milliseconds. With the stop of servers and stores it stays within 10 s. */
export const DRAIN_TIMEOUT_MS = 8_000;
