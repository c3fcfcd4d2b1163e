/** The functions behind the commands that serve. */
export { probeServers, validateStateStore } from './open-state-store.ts';
export { serve } from './serve.ts';
export { serveStdio } from './stdio.ts';
