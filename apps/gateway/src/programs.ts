/** The implementations of the commands that start the gateway. */
export { probeServers, validateStateStore } from './open-state-store.ts';
export { serve } from './serve.ts';
export { serveStdio } from './stdio.ts';
