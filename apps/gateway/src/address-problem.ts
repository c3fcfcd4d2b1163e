import type { Address, HealthAddress } from '@gateway/gateway-config';
import { healthListenProblem } from '@gateway/gateway-runtime';
import { listenError, startFailureText } from '@gateway/service-host';
import { PORT_OPTION } from './workers/lifecycle-contract.ts';

/** The addresses of a gateway. */
export interface GatewayAddresses {
  readonly address: Address;
  readonly health: HealthAddress | undefined;
  /** The port of the portal in this process. */
  readonly portal?: number | undefined;
}

const problemOf = async (address: Address, portOption: string): Promise<string | undefined> => {
  const error = await listenError(address);
  return error && startFailureText(error, { ...address, portOption });
};

const EVERY_HOST: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const shareHost = (a: string, b: string): boolean =>
  a === b || EVERY_HOST.has(a) || EVERY_HOST.has(b);

/** Returns the problem of two addresses of the gateway that are one. Port 0 is a free port for each. */
const clashOf = (
  addresses: readonly (Address & { readonly option: string })[],
): string | undefined => {
  for (const [at, { host, port, option }] of addresses.entries()) {
    const other = addresses
      .slice(0, at)
      .find((one) => one.port === port && shareHost(one.host, host));
    if (other !== undefined && port !== 0)
      return `${other.option} and ${option} are both ${port.toString()}: choose another port for one of them`;
  }
  return undefined;
};

/** Returns why a gateway cannot listen at one of its addresses, as one line, so that it starts no server in vain. */
export const addressProblem = async ({
  address,
  health,
  portal,
}: GatewayAddresses): Promise<string | undefined> => {
  const local = portal === undefined ? undefined : { host: '127.0.0.1', port: portal };
  return (
    clashOf([
      { ...address, option: PORT_OPTION },
      ...(health === undefined ? [] : [{ ...health, option: '--health-port or health.port' }]),
      ...(local === undefined ? [] : [{ ...local, option: '--portal' }]),
    ]) ??
    (await problemOf(address, PORT_OPTION)) ??
    (await healthListenProblem(health)) ??
    (local === undefined ? undefined : await problemOf(local, '--portal'))
  );
};
