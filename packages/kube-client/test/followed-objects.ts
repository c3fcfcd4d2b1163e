import { startApiProxy, type ApiProxy, type Cluster } from '@gateway/test-peers';
import { expect, onTestFinished } from 'vitest';
import { ObjectInformer, type ApiConnection, type ApiKind } from '../src/index.ts';
import { connected } from './pods.ts';

/** Polls for up to a minute, because machines may be busy. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 20 });

const CONFIG_MAP: ApiKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' };

/** Differences from an administrator who follows the ConfigMaps of a new namespace. */
export interface FollowOptions {
  readonly kind?: ApiKind;
  readonly namespace?: string;
  /** As in a kubeconfig. */
  readonly user?: object;
  readonly silenceMs?: number;
  readonly timeoutMs?: number;
}

/** An informer behind a proxy. */
export interface FollowedObjects {
  readonly proxy: ApiProxy;
  readonly connection: ApiConnection;
  readonly informer: ObjectInformer;
  readonly namespace: string;
  /** The failures as `list 401`, and `recovered`. */
  readonly log: readonly string[];
  /** Returns the names of the objects, sorted. */
  readonly names: () => readonly string[];
  readonly uidOf: (name: string) => unknown;
  /** Returns the number of lists, without further pages. */
  readonly lists: () => number;
  /** Returns the versions from which watches were opened. */
  readonly positions: () => readonly string[];
  /** Returns the status codes in `ERROR` events of watches. */
  readonly errorCodes: () => readonly unknown[];
}

/** Starts an informer whose requests pass through a proxy; the end of the test stops it. */
export const follow = async (
  cluster: Cluster,
  { kind = CONFIG_MAP, user, silenceMs, timeoutMs, ...given }: FollowOptions = {},
): Promise<FollowedObjects> => {
  const namespace = given.namespace ?? (await cluster.namespace());
  const { proxy, kubeconfig } = await startApiProxy(cluster, user);
  const connection = await connected({
    ...{ kubeconfig, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  });
  const log: string[] = [];
  const informer = new ObjectInformer(connection, {
    ...{ kind, namespace, ...(silenceMs === undefined ? {} : { silenceMs }) },
    onChange: () => undefined,
    onFailure: (failure, verb) => {
      log.push(`${verb} ${failure.kind === 'refused' ? String(failure.status) : failure.kind}`);
    },
    onRecovery: () => log.push('recovered'),
  });
  onTestFinished(() => informer.stop());
  await informer.waitForSync();
  const requested = (verb: 'list' | 'watch') =>
    proxy.requests.filter((request) => request.verb === verb).map(({ query }) => query);
  return {
    ...{ proxy, connection, informer, namespace, log },
    names: () =>
      informer
        .objects()
        .map(({ object }) => object.metadata.name)
        .toSorted(),
    uidOf: (name) => informer.get({ namespace, name })?.object.metadata['uid'],
    lists: () => requested('list').filter((query) => !query.has('continue')).length,
    positions: () => requested('watch').map((query) => query.get('resourceVersion') ?? ''),
    errorCodes: () =>
      proxy.watches.lines.flatMap(({ type, object }) => (type === 'ERROR' ? [object.code] : [])),
  };
};

/** Holds all requests back until the returned function is called. */
export const hold = (proxy: ApiProxy): (() => void) => {
  let release = (): void => undefined;
  const released = new Promise<boolean>((resolve) => {
    release = () => {
      proxy.fault = undefined;
      resolve(false);
    };
  });
  proxy.fault = () => released;
  return () => release();
};

const path = (namespace: string, name = ''): string =>
  `/api/v1/namespaces/${namespace}/configmaps${name === '' ? '' : `/${name}`}`;

/** Creates a ConfigMap as another client. */
export const create = ({ admin }: Cluster, namespace: string, name: string): Promise<unknown> =>
  admin.expect('POST', path(namespace), {
    content: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  });

/** Changes a ConfigMap as another client. */
export const change = (
  { admin }: Cluster,
  namespace: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<unknown> =>
  admin.expect('PATCH', path(namespace, name), {
    type: 'application/merge-patch+json',
    content: { data: { value } },
  });

/** Deletes a ConfigMap as another client. */
export const remove = ({ admin }: Cluster, namespace: string, name: string): Promise<unknown> =>
  admin.expect('DELETE', path(namespace, name));
