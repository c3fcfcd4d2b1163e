import { type Address, DEFAULT_HEALTH_PORT } from './address.ts';
import type { GatewayConfig } from './parse-config.ts';

/** The option and the key of the configuration that set the port. */
export const PORT_OPTION = '--port or http.port';

/** The option and the key of the configuration that set the port of health checks. */
export const HEALTH_PORT_OPTION = '--health-port or health.port';

/** A listen address, and the option that sets its port. */
export interface OptionAddress extends Address {
  readonly option: string;
}

const EVERY_HOST: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const shareHost = (a: string, b: string): boolean =>
  a === b || EVERY_HOST.has(a) || EVERY_HOST.has(b);

/** Returns the problem of the first two addresses of a program that have one port, as one line. Port 0 is a free port for each. */
export const findPortClash = (addresses: readonly OptionAddress[]): string | undefined => {
  for (const [at, { host, port, option }] of addresses.entries()) {
    if (port === 0) continue;
    const other = addresses
      .slice(0, at)
      .find((one) => one.port === port && shareHost(one.host, host));
    if (other !== undefined)
      return `${other.option} and ${option} are both ${port.toString()}: choose another port for one of them`;
  }
  return undefined;
};

/** The address of the listener for probes and metrics. */
export interface HealthAddress extends Address {
  /** `true` when the configuration or an option names the port; a gateway starts without the default port when it is in use. */
  readonly isConfigured: boolean;
}

/** The address of the endpoint, and the options of the command line. */
interface HealthOptions {
  readonly host: string;
  readonly healthListener: boolean;
  readonly healthPort?: number | undefined;
}

/** Returns the address of the listener for probes and metrics; `undefined` when it is disabled. */
export function resolveHealthAddress(
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
