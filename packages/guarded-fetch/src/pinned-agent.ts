import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import type { CheckedTarget } from './checked-target.ts';
import type { HostAddress } from './resolve-host.ts';

/** Resolves every name to the checked addresses. */
const pinned =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('no address'), '', 0);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 4;

/**
 * Returns connections to the checked addresses of a target, whichever name a request has. The caller destroys the agent.
 * @param timeoutMs bounds connecting, headers and each pause of a body
 */
export const pinnedAgent = async (
  { addresses }: CheckedTarget,
  timeoutMs: number,
): Promise<Agent> => {
  // Most starts request nothing from addresses of others.
  const undici = await import('undici');
  return new undici.Agent({
    connections: MAX_CONNECTIONS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, noDelay: true, lookup: pinned(addresses) },
  });
};
