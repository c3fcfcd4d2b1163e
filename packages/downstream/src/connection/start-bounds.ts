import type { McpServer } from '@gateway/crd-schemas';
import type { ConnectionDependencies } from './server-link.ts';

type Dependencies = Pick<ConnectionDependencies, 'timeouts'>;

/** Returns the maximum duration of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
export const startBoundMs = ({ spec }: McpServer, { timeouts }: Dependencies): number => {
  if (spec.type !== 'stdio') return spec.timeout * 1_000;
  return spec.startTimeout === undefined ? timeouts.stdioStartMs : spec.startTimeout * 1_000;
};

/** Returns the time without an answer to the era probe after which `initialize` is sent too, in milliseconds: a silent server is old or slow. */
export const fallbackMs = ({ timeouts }: Dependencies, boundMs: number): number =>
  Math.min(timeouts.eraProbeMs, boundMs / 2);
