import { serveLink, type LinkPort } from '@gateway/process-link';
import type { Downstream } from '../supervision/downstream.ts';
import { DEFAULT_HUB_LIMITS, type HubLimits } from './hub-contract.ts';
import { HubService } from './hub-service.ts';

/** Options of a hub. */
export interface DownstreamHubOptions {
  /** Resolves when every server that starts by itself was tried. */
  readonly settled: Promise<void>;
  readonly limits?: Partial<HubLimits>;
}

/**
 * Serves these servers to the process at the other end of the port, which uses `connectDownstreamHub`: it sends their states and lists,
 * and runs the requests and controls of that process. The end of that process cancels its requests.
 */
export const serveDownstreamHub = (
  downstream: Downstream,
  port: LinkPort,
  { settled, limits }: DownstreamHubOptions,
): void => {
  const bounds: HubLimits = { ...DEFAULT_HUB_LIMITS, ...limits };
  const service = new HubService(downstream, settled, bounds);
  serveLink(port, service, { limits: { maxUnsent: bounds.maxUnsent } });
};
