import {
  HEALTH_PORT_OPTION,
  PORT_OPTION,
  findPortClash,
  type Address,
  type HealthAddress,
} from '@gateway/gateway-config';
import { validateHealthAddress } from '@gateway/gateway-runtime';
import { findListenError, formatStartFailure } from '@gateway/service-host';

/** The addresses of a gateway. */
export interface GatewayAddresses {
  readonly address: Address;
  readonly health: HealthAddress | undefined;
  /** The port of the portal in this process. */
  readonly portal?: number | undefined;
}

const findProblem = async (address: Address, portOption: string): Promise<string | undefined> => {
  const error = await findListenError(address);
  return error && formatStartFailure(error, { ...address, portOption });
};

/** Returns why the gateway cannot listen on one of its addresses, as one line. Checked before any server starts. */
export const validateAddresses = async ({
  address,
  health,
  portal,
}: GatewayAddresses): Promise<string | undefined> => {
  const local = portal === undefined ? undefined : { host: '127.0.0.1', port: portal };
  return (
    findPortClash([
      { ...address, option: PORT_OPTION },
      ...(health === undefined ? [] : [{ ...health, option: HEALTH_PORT_OPTION }]),
      ...(local === undefined ? [] : [{ ...local, option: '--portal' }]),
    ]) ??
    (await findProblem(address, PORT_OPTION)) ??
    (await validateHealthAddress(health)) ??
    (local === undefined ? undefined : await findProblem(local, '--portal'))
  );
};
