import type { McpServer } from '@gateway/crd-schemas';
import type { ConnectionDependencies } from './server-link.ts';

/** Returns the maximum duration of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
export const startBoundMs = (server: McpServer, dependencies: ConnectionDependencies): number =>
  server.spec.type === 'stdio' ? dependencies.timeouts.stdioStartMs : server.spec.timeout * 1_000;

/**
 * Returns the maximum duration of the era probe, in milliseconds. A stdio server that does not answer is an old server, so its probe gets
 * half of the time; a web server that does not answer is down.
 */
export const probeBoundMs = (
  server: McpServer,
  dependencies: ConnectionDependencies,
  boundMs: number,
): number =>
  server.spec.type === 'stdio' ? Math.min(dependencies.timeouts.eraProbeMs, boundMs / 2) : boundMs;
