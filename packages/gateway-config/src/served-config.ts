import type { Address } from './address.ts';
import type { GatewayConfig } from './parse-config.ts';

/** Returns the configuration with the address that is served, which options of the command line may override. */
export function servedConfig(config: GatewayConfig, address: Address | undefined): GatewayConfig {
  return { ...config, http: { ...config.http, ...address } };
}
