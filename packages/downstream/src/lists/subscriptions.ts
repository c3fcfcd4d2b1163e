import { RPC_CODE } from '@gateway/call-contract';
import type { DownstreamError } from '../requests/call.ts';
import { errorOfFailure, notConnected } from '../requests/request-errors.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { RequestConnection } from '../requests/request-connection.ts';
import type { ResourceWatch } from './resource-watch.ts';
import { ResourceSubscriptions } from './resource-subscriptions.ts';
import type { SubscribeOutcome, UpdateListener } from './resource-subscriptions.ts';

/** The part of a server that subscriptions use. */
export interface SubscriptionPeer extends Omit<RequestPeer, 'connection'> {
  readonly connection: (RequestConnection & { readonly resources: ResourceWatch }) | undefined;
}

/** The resource subscriptions of all servers. */
export interface Subscriptions {
  subscribe(
    resource: { readonly server: string; readonly uri: string },
    onUpdated: UpdateListener,
  ): Promise<SubscribeOutcome>;
  /** Delivers an update of a resource. */
  updated(server: string, params: Readonly<Record<string, unknown>>): void;
  /** Renews the subscriptions of servers whose connection was replaced. */
  reconcile(): void;
}

const noSubscriptions = (server: string): DownstreamError => ({
  code: 'request.refused',
  server,
  rpcCode: RPC_CODE.methodNotFound,
  message: 'the server does not support resource subscriptions',
});

/** Returns empty subscriptions for the servers that `peerOf` finds. */
export const createSubscriptions = (
  peerOf: (server: string) => SubscriptionPeer | undefined,
): Subscriptions => {
  const servers = new Map<string, ResourceSubscriptions>();
  const create = (server: string): ResourceSubscriptions => {
    const created = new ResourceSubscriptions({
      watch: () => peerOf(server)?.connection?.resources,
      refusal(outcome) {
        const peer = peerOf(server);
        if (peer === undefined) return { code: 'server.unknown', server };
        return outcome === undefined ? notConnected(peer) : errorOfFailure(outcome.failure, peer);
      },
    });
    servers.set(server, created);
    return created;
  };
  return {
    async subscribe({ server, uri }, onUpdated) {
      if (peerOf(server)?.connection?.features.resourceSubscriptions === false)
        return { ok: false, error: noSubscriptions(server) };
      const subscriptions = servers.get(server) ?? create(server);
      const outcome = await subscriptions.subscribe(uri, onUpdated);
      if (!outcome.ok && subscriptions.isEmpty) servers.delete(server);
      return outcome;
    },
    updated: (server, params) => servers.get(server)?.updated(params),
    reconcile() {
      for (const [server, subscriptions] of servers) {
        if (subscriptions.isEmpty) servers.delete(server);
        else subscriptions.reconcile();
      }
    },
  };
};
