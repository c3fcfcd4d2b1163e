import type { GatewayConfig, Expose, Address } from '@gateway/gateway-config';

/** What the primary tells a worker about its life. */
export type ToWorker =
  | {
      readonly kind: 'start';
      readonly config: GatewayConfig;
      readonly address: Address;
      readonly expose: Expose;
      readonly number: number;
      /** Names the worker among its peers. */
      readonly peer: string;
      /** Signs session ids, the same for all workers. */
      readonly sessionKey: string;
    }
  | { readonly kind: 'configuration'; readonly config: GatewayConfig }
  | { readonly kind: 'drain' };

/** What a worker tells the primary about its life. */
export type FromWorker =
  | { readonly kind: 'hello' }
  | { readonly kind: 'listening'; readonly url: string }
  /** The worker cannot serve and ends. */
  | { readonly kind: 'failed'; readonly reason: string; readonly code: string | undefined };
