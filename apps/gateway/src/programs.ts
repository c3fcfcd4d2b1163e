/** What the commands that serve run. */
export { probeServers, stateProblem } from './open-state-store.ts';
export { serve } from './serve.ts';
export { serveStdio } from './stdio.ts';
