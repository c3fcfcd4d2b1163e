import type { ExchangeOwner } from '../wire/http-exchange.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';

/** Returns the listener of refusals that the options name: it receives the code, the caller and the reason of refused credentials. */
export const refusalListener =
  ({ onRefusal }: McpHttpOptions): ExchangeOwner['onRefusal'] =>
  (refusal, caller) =>
    onRefusal?.(
      refusal.code,
      caller,
      refusal.code === 'not-authenticated' ? refusal.reason : undefined,
    );
