import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import type { GatewayConfig } from './parse-config.ts';
import type { CoreToolWrites } from './defaults.ts';
import { type Address, DEFAULT_HEALTH_PORT } from './defaults.ts';

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
 * otherwise all where only clients of this machine connect or callers sign in, and none elsewhere.
 */
export function chooseCoreToolWrites(
  { coreTools, auth }: Pick<GatewayConfig, 'coreTools' | 'auth'>,
  { option, isLocal }: { readonly option: CoreToolWrites | undefined; readonly isLocal: boolean },
): CoreToolWrites {
  return option ?? coreTools.writes ?? (isLocal || auth.mode !== 'none' ? 'all' : 'none');
}

/** The option and the key of the configuration that set the port. */
export const PORT_OPTION = '--port or http.port';

/** The option and the key of the configuration that set the port of health checks. */
export const HEALTH_PORT_OPTION = '--health-port or health.port';

/** A listen address, and the option that sets its port. */
export interface OptionAddress extends Address {
  readonly option: string;
}

const EVERY_HOST: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const hasSameHost = (a: string, b: string): boolean =>
  a === b || EVERY_HOST.has(a) || EVERY_HOST.has(b);

/** Returns the problem of the first two addresses of a program that have one port, as one line. Port 0 is a free port for each. */
export const findPortClash = (addresses: readonly OptionAddress[]): string | undefined => {
  for (const [at, { host, port, option }] of addresses.entries()) {
    if (port === 0) continue;
    const other = addresses
      .slice(0, at)
      .find((one) => one.port === port && hasSameHost(one.host, host));
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
