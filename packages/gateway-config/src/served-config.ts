import type { GatewayConfig } from './parse-config.ts';

/** Where a gateway listens, once flags and configuration are combined. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The configuration in force, with the address that is served in fact. */
export function servedConfig(config: GatewayConfig, address: Address | undefined): GatewayConfig {
  return { ...config, http: { ...config.http, ...address } };
}
