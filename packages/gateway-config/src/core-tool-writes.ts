import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import type { GatewayConfig } from './parse-config.ts';
import type { CoreToolWrites } from './expose.ts';
import type { Address } from './address.ts';

/** Returns the configuration with the values in force, which options of the command line may override. */
export function applyCommandLine(
  config: GatewayConfig,
  { address, writes }: { readonly address: Address | undefined; readonly writes?: CoreToolWrites },
): GatewayConfig {
  return {
    ...config,
    http: { ...config.http, ...address },
    coreTools: { ...config.coreTools, ...(writes !== undefined && { writes }) },
  };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns whether a listen address accepts connections from this machine only: every address of the host is a loopback address.
 * A host without an address is not one.
 */
export async function isLoopbackHost(host: string): Promise<boolean> {
  // An empty host listens on every address.
  if (host === '') return false;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return (
    addresses.length > 0 &&
    addresses.every(({ address, family }) =>
      LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4'),
    )
  );
}

/**
 * Returns which core tools that write are permitted: as the option of the command line says, otherwise as `coreTools.writes` says,
 * otherwise all for clients of this machine only and none for others.
 */
export function chooseCoreToolWrites(
  { coreTools }: Pick<GatewayConfig, 'coreTools'>,
  { option, isLocal }: { readonly option: CoreToolWrites | undefined; readonly isLocal: boolean },
): CoreToolWrites {
  return option ?? coreTools.writes ?? (isLocal ? 'all' : 'none');
}
