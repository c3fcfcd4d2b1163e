import { DEFAULT_HEALTH_PORT, type Address } from './address.ts';
import type { GatewayConfig } from './parse-config.ts';

/** The address of the listener for probes and metrics. */
export interface HealthAddress extends Address {
  /** `true` when the configuration or an option names the port; a gateway starts without the default port when it is in use. */
  readonly isConfigured: boolean;
}

/** The address of the endpoint, and the options of the command line. */
export interface HealthOptions {
  readonly host: string;
  readonly healthListener: boolean;
  readonly healthPort?: number | undefined;
}

/** Returns the address of the listener for probes and metrics; `undefined` when it is disabled. */
export function healthAddress(
  { health }: Pick<GatewayConfig, 'health'>,
  options: HealthOptions,
): HealthAddress | undefined {
  if (!health.enabled || !options.healthListener) return undefined;
  const port = options.healthPort ?? health.port;
  return {
    host: health.host ?? options.host,
    port: port ?? DEFAULT_HEALTH_PORT,
    isConfigured: port !== undefined,
  };
}
