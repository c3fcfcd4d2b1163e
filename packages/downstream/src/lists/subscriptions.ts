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

/** A resource, and the connection that follows it. */
export interface SubscribedResource {
  /** Identifies the connections: the name of the server, or for those of one person a text that no server has as its name. */
  readonly key: string;
  readonly server: string;
  readonly uri: string;
}

/** The resource subscriptions of all servers. */
export interface Subscriptions {
  subscribe(resource: SubscribedResource, onUpdated: UpdateListener): Promise<SubscribeOutcome>;
  /** Delivers an update of a resource. */
  updated(key: string, params: Readonly<Record<string, unknown>>): void;
  /** Returns whether there is a subscription over these connections. */
  has(key: string): boolean;
  /** Renews the subscriptions of servers whose connection was replaced. */
  reconcile(): void;
}

const noSubscriptions = (server: string): DownstreamError => ({
  code: 'request.refused',
  server,
  rpcCode: RPC_CODE.methodNotFound,
  message: 'the server does not support resource subscriptions',
});

/** Returns empty subscriptions for the servers that `peerOf` finds by their keys. */
export const createSubscriptions = (
  peerOf: (key: string) => SubscriptionPeer | undefined,
): Subscriptions => {
  const byKey = new Map<string, ResourceSubscriptions>();
  const create = ({ key, server }: SubscribedResource): ResourceSubscriptions => {
    const created = new ResourceSubscriptions({
      watch: () => peerOf(key)?.connection?.resources,
      refusal(outcome) {
        const peer = peerOf(key);
        if (peer === undefined) return { code: 'server.unknown', server };
        return outcome === undefined ? notConnected(peer) : errorOfFailure(outcome.failure, peer);
      },
    });
    byKey.set(key, created);
    return created;
  };
  return {
    async subscribe(resource, onUpdated) {
      const { key, server, uri } = resource;
      if (peerOf(key)?.connection?.features.resourceSubscriptions === false)
        return { ok: false, error: noSubscriptions(server) };
      const subscriptions = byKey.get(key) ?? create(resource);
      const outcome = await subscriptions.subscribe(uri, onUpdated);
      if (!outcome.ok && subscriptions.isEmpty) byKey.delete(key);
      return outcome;
    },
    updated: (key, params) => byKey.get(key)?.updated(params),
    has: (key) => byKey.get(key)?.isEmpty === false,
    reconcile() {
      for (const [key, subscriptions] of byKey) {
        if (subscriptions.isEmpty) byKey.delete(key);
        else subscriptions.reconcile();
      }
    },
  };
};
