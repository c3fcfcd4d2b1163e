import type { Address } from './address.ts';
import type { GatewayConfig } from './parse-config.ts';
import type { CoreToolWrites } from './write-levels.ts';

/** Returns the configuration with the values in force, which options of the command line may override. */
export function servedConfig(
  config: GatewayConfig,
  { address, writes }: { readonly address: Address | undefined; readonly writes?: CoreToolWrites },
): GatewayConfig {
  return {
    ...config,
    http: { ...config.http, ...address },
    coreTools: { ...config.coreTools, ...(writes !== undefined && { writes }) },
  };
}
