import type { McpServer } from '@gateway/crd-schemas';
import type { ConnectionDependencies } from './server-link.ts';

/** Upper bound of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
export const startBoundMs = (server: McpServer, dependencies: ConnectionDependencies): number =>
  server.spec.type === 'stdio' ? dependencies.timeouts.stdioStartMs : server.spec.timeout * 1_000;

/**
 * Upper bound of the question about the era, in milliseconds. A silent child is an old server, so the question gets half
 * of the time; a silent web server is an outage.
 */
export const probeBoundMs = (
  server: McpServer,
  dependencies: ConnectionDependencies,
  boundMs: number,
): number =>
  server.spec.type === 'stdio' ? Math.min(dependencies.timeouts.eraProbeMs, boundMs / 2) : boundMs;
