/** The commands that serve. The build puts them into one file, whose compiled code is stored. */
export { probeServers, stateProblem } from './open-state-store.ts';
export { serve } from './serve.ts';
export { serveStdio } from './stdio.ts';
