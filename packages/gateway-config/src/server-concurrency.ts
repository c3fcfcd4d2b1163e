/** Requests of callers and workflows to one server that run, and that wait, at one moment in one process. */
export const DEFAULT_SERVER_CONCURRENCY = { maxRunning: 128, maxQueued: 256 } as const;
