import { isLoopbackAddress, isOwnNetwork } from './address-refusal.ts';
import type { HostAddress } from './resolve-host.ts';

/** Returns true when http may be used to a host with these addresses: all are loopback ones or, with `allowPlain`, of the own network. */
export const mayBePlain = (addresses: readonly HostAddress[], allowPlain: boolean): boolean =>
  addresses.every(({ address }) =>
    allowPlain ? isOwnNetwork(address) : isLoopbackAddress(address),
  );
