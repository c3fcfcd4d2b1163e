import type { IncomingMessage } from 'node:http';
import { createCallerAddress, type ProxyOptions } from '../wire/caller-address.ts';
import type { ExchangeOwner } from '../wire/http-exchange.ts';

/** The options of {@link callerKeyOf}. */
interface CallerOptions extends ProxyOptions {
  readonly principalOf?: (request: IncomingMessage) => string | undefined;
}

/** Returns the function that finds the key under which the caller of a request is counted: its principal, otherwise its address. */
export const callerKeyOf = (options: CallerOptions): ExchangeOwner['callerOf'] => {
  const addressOf = createCallerAddress(options);
  const { principalOf } = options;
  if (principalOf === undefined) return addressOf;
  return (request) => {
    const principal = principalOf(request);
    return principal === undefined ? addressOf(request) : `principal:${principal}`;
  };
};
